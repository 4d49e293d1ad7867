package io.github.sparkgpusched.bench.cluster;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF2;

/** Computes, and says how many nanoseconds after its task's start that was done. */
public final class SinceTaskStart implements UDF2<Long, Integer, Long>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Long call(Long from, Integer steps) {
    // The number decides about nothing, and the compiler must not know.
    int never = Churn.of(from, steps) == from - 1 ? 1 : 0;
    return System.nanoTime() - TaskClock.startedNanos() + never;
  }
}
