package io.github.sparkgpusched.bench.cluster;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF2;

/** A made-up function: so many dependent multiplications, each of about 1.4 ns. */
public final class Churn implements UDF2<Long, Integer, Long>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Long call(Long from, Integer steps) {
    return of(from, steps);
  }

  static long of(long from, int steps) {
    long x = from;
    for (int i = 0; i < steps; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    return x;
  }
}
