package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF2;

/** So many dependent steps, and the last number as text; null for some. */
public final class Churn implements UDF2<Long, Integer, String>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public String call(Long from, Integer steps) {
    if (from == null || steps == null || from % 13 == 0) {
      return null;
    }
    if (from == -1) {
      throw new IllegalStateException("minus one");
    }
    long x = from;
    for (int i = 0; i < steps; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    return Long.toString(x);
  }
}
