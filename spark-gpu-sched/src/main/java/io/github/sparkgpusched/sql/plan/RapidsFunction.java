package io.github.sparkgpusched.sql.plan;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.cudf.ColumnCall;
import io.github.sparkgpusched.device.cudf.TriedAgain;
import io.github.sparkgpusched.runtime.GuestLoad;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;

/**
 * The function of a call that the RAPIDS Accelerator may plan: it finds the interface {@link
 * RapidsUDF}, and has the call computed on its own columns. Where it leaves the call on the CPU,
 * this is what any other {@link RowWiseFunction} is.
 *
 * <p>Loaded only where the Accelerator's classes are: see {@link Rapids}.
 */
@SuppressWarnings("unchecked")
final class RapidsFunction extends RowWiseFunction implements RapidsUDF {
  private static final long serialVersionUID = 1L;

  private final UdfCall call;
  private final List<LoadAccumulator> load;

  /** Made at first use in an executor, where each task has a copy of its own. */
  private transient GuestLoad counters;

  private transient ColumnCall columns;

  private RapidsFunction(RowWiseFunction function, UdfCall call, List<LoadAccumulator> load) {
    super(function);
    this.call = call;
    this.load = load;
  }

  /**
   * The same call with such a function: a plain {@code ScalaUDF}, as no other is looked at.
   *
   * @param load receive what is computed of it on the Accelerator's devices
   */
  static ScalaUDF of(ScalaUDF marked, UdfCall call, List<LoadAccumulator> load) {
    return new ScalaUDF(
        new RapidsFunction((RowWiseFunction) marked.function(), call, load),
        marked.dataType(),
        marked.children(),
        marked.inputEncoders(),
        marked.outputEncoder(),
        marked.udfName(),
        marked.nullable(),
        marked.udfDeterministic());
  }

  /**
   * Called on the Accelerator's task thread, which holds its semaphore. Its out-of-memory
   * exceptions pass through, for it to try again.
   *
   * @param arguments the caller's, and closed by it
   * @return the caller's from now on
   */
  @Override
  public synchronized ColumnVector evaluateColumnar(int rows, ColumnVector... arguments) {
    if (columns == null) {
      counters = new GuestLoad(call.name(), load);
      columns = new ColumnCall(call, udf(), this::invoke, counters::inner);
    }
    long begin = System.nanoTime();
    counters.begin(begin);
    try {
      ColumnVector results = columns.evaluate(rows, arguments);
      counters.end(rows, begin);
      return results;
    } catch (RuntimeException | Error e) {
      if (TriedAgain.isAfter(e)) {
        counters.giveUp(begin);
      } else {
        counters.fail(begin, e);
      }
      throw e;
    }
  }
}
