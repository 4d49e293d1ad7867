package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.GpuUdf;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF1;

/** A recursion without end on some row, in the form and by the thread that are asked for. */
final class Endless implements UDF1<Long, Long>, GpuUdf {
  private static final long serialVersionUID = 1L;

  private final boolean batch;
  private final boolean helper;

  Endless(boolean batch, boolean helper) {
    this.batch = batch;
    this.helper = helper;
  }

  @Override
  public Long call(Long value) throws InterruptedException {
    // Long enough for a helper to be called and to find rows left.
    Thread.sleep(1);
    boolean onHelper = Thread.currentThread().getName().startsWith("gpusched-host-");
    return onHelper == helper && value > 100 ? withoutEnd(value) : value;
  }

  private static long withoutEnd(long value) {
    return value < 0 ? 0 : 1 + withoutEnd(value + 1);
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return !batch
        ? Optional.empty()
        : Optional.of(
            (in, from, until, out) -> {
              for (int row = from; row < until; row++) {
                out.setLong(row, call(in.longs(0).get(row)));
              }
            });
  }
}
