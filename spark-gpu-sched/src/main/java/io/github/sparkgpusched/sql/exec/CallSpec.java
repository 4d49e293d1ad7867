package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.UdfPattern;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Literal;

/**
 * One call of a batched node, as it travels to the tasks.
 *
 * @param call what is computed
 * @param udf the UDF
 * @param takesNulls whether rows with null arguments are computed
 * @param mayRunTwice whether two devices may compute the same rows
 * @param exact whether devices of all kinds give the same bits
 * @param hints what the UDF needs of a device
 * @param arguments where each argument comes from
 * @param guard ordinal of the boolean input column that says which rows are computed, or -1: all
 */
record CallSpec(
    UdfCall call,
    UdfPattern udf,
    boolean takesNulls,
    boolean mayRunTwice,
    boolean exact,
    PlacementHints hints,
    List<Argument> arguments,
    int guard)
    implements Serializable {
  /**
   * @param ordinal of an input column, or -1 if the argument is a literal
   * @param literal or null
   */
  record Argument(int ordinal, Literal literal) implements Serializable {}

  /** The parts, put together by name. Not thread-safe. */
  static final class Builder {
    UdfCall call;
    UdfPattern udf;
    boolean takesNulls;
    boolean mayRunTwice;
    boolean exact;
    PlacementHints hints;
    List<Argument> arguments;
    int guard;

    CallSpec build() {
      return new CallSpec(call, udf, takesNulls, mayRunTwice, exact, hints, arguments, guard);
    }
  }
}
