package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.api.GpuUdf;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.api.java.UDF1;

/**
 * The number itself, after a millisecond: queries that are still running when one looks. Says on
 * stdout when the first helper of an executor is at work.
 */
public final class Slowly implements UDF1<Long, Long>, GpuUdf {
  private static final long serialVersionUID = 1L;
  private static final AtomicBoolean HELPED = new AtomicBoolean();

  @Override
  public Long call(Long value) throws InterruptedException {
    sleep(1);
    return value;
  }

  /** What takes that long, on a helper or not. */
  static void sleep(long millis) throws InterruptedException {
    if (Thread.currentThread().getName().startsWith("gpusched-host-")
        && HELPED.compareAndSet(false, true)) {
      System.out.println("a helper is at work");
    }
    Thread.sleep(millis);
  }
}
