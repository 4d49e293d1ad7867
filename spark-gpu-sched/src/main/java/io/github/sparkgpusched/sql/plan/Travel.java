package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.GpuUdfException;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.UdfPattern;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;

/** Which calls other executors may compute: they lend cores. */
public final class Travel {
  /** The driver has one thread for what executors ask, and a copy for each until it is sent. */
  private static final int MOST_BYTES = 16 << 20;

  private Travel() {}

  /**
   * Why no other executor computes a call; empty if one may.
   *
   * @param exact whether all devices give the same bits for it
   * @param udf its function
   */
  public static Optional<String> whyNot(ScalaUDF call, boolean exact, UdfPattern udf) {
    if (GpuCalls.isText(call)) {
      return Optional.of("it is given as a text, which only GPUs compute");
    } else if (!exact) {
      return Optional.of("its device form does not give the same bits as a core");
    } else if (udf.hasAccumulator()) {
      return Optional.of("it refers to an accumulator, which counts in tasks alone");
    } else if (udf.bytes() > MOST_BYTES) {
      return Optional.of(
          "it takes %s MB, and the driver sends each executor at most %s MB of a function: give it a broadcast variable"
              .formatted(udf.bytes() >> 20, MOST_BYTES >> 20));
    }
    return Optional.empty();
  }

  /** What explain adds to a call that is batched, where executors share cores; else nothing. */
  static String note(ScalaUDF call) {
    return SharedCalls.areKept()
        ? whyNot(call).map(why -> "; its rows stay in their executor, because " + why).orElse("")
        : "";
  }

  private static Optional<String> whyNot(ScalaUDF call) {
    try {
      UdfPattern udf = new UdfPattern(GpuCalls.name(call), GpuCalls.udf(call));
      return whyNot(call, GpuCalls.exact(call), udf);
    } catch (GpuUdfException e) {
      return Optional.empty(); // the query fails by it, and says so
    }
  }
}
