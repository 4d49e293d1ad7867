package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF1;

/** The number itself, after a millisecond: queries that are still running when one looks. */
public final class Slowly implements UDF1<Long, Long>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Long call(Long value) throws InterruptedException {
    Thread.sleep(1);
    return value;
  }

  @Override
  public CudaSource cuda() {
    return CudaSource.text("", "slowly");
  }
}
