package io.github.sparkgpusched.bench.cluster;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF2;

/** {@link Churn} that notes when a row of another executor's was done. */
public final class WatchedChurn implements UDF2<Long, Integer, Long>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Long call(Long from, Integer steps) {
    long result = Churn.of(from, steps);
    if (Thread.currentThread().getName().startsWith("gpusched-guest-")) {
      TaskClock.rowOfAnother();
    }
    return result;
  }
}
