package io.github.sparkgpusched.bench.cluster;

import io.github.sparkgpusched.api.GpuUdf;
import java.io.IOException;
import org.apache.spark.sql.api.java.UDF3;

/** Computes rows of a lender's own task, and of the last one says what {@link TaskClock} tells. */
public final class SinceTaskStart implements UDF3<Long, Integer, Boolean, String>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public String call(Long from, Integer steps, Boolean last) throws IOException {
    // The number decides about nothing, and the compiler must not know.
    boolean never = Churn.of(from, steps) == from - 1;
    return last || never ? TaskClock.sinceTaskStart() : "";
  }
}
