package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF1;

/** How many steps a number takes to 1: exact, irregular, and without a batch method. */
public final class CollatzSteps implements UDF1<Long, Integer>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Integer call(Long from) {
    if (from == null) {
      return null;
    }
    int steps = 0;
    for (long n = Math.max(1, from); n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) {
      steps++;
    }
    return steps;
  }
}
