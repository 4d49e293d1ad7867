package io.github.sparkgpusched.plugin;

import com.codahale.metrics.Snapshot;
import io.github.sparkgpusched.load.BlockTimes;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.Work;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * How long all blocks of a UDF took, for Dropwizard: nanoseconds, since the application's start.
 * The maximum is exact, and so is the mean where no rows were computed in place; else it is about
 * right, and quantiles are at most a quarter too large. Immutable.
 */
final class BlockTimesSnapshot extends Snapshot {
  /** Values that stand for the distribution, where one is asked for. */
  private static final int VALUES = 100;

  private final BlockTimes times;
  private final double meanNanos;

  BlockTimesSnapshot(UdfLoad load) {
    times = load.times();
    Work work = load.work();
    // The time of rows in place is in no block.
    boolean blocksAlone = load.rowsInline() == 0 && work.blocks() > 0;
    meanNanos = blocksAlone ? (double) work.busyNanos() / work.blocks() : times.meanNanos();
  }

  @Override
  public double getValue(double quantile) {
    return times.quantileNanos(quantile);
  }

  /** The quantiles in equal steps, not one value per block. */
  @Override
  public long[] getValues() {
    long[] values = new long[size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = times.quantileNanos((i + 1.0) / values.length);
    }
    return values;
  }

  @Override
  public int size() {
    return (int) Math.min(VALUES, times.count());
  }

  @Override
  public long getMax() {
    return times.maxNanos();
  }

  @Override
  public double getMean() {
    return meanNanos;
  }

  @Override
  public long getMin() {
    return times.quantileNanos(0);
  }

  @Override
  public double getStdDev() {
    long[] values = getValues();
    double sum = 0;
    for (long value : values) {
      sum += (value - meanNanos) * (value - meanNanos);
    }
    return values.length < 2 ? 0 : Math.sqrt(sum / (values.length - 1));
  }

  @Override
  public void dump(OutputStream output) {
    PrintWriter out = new PrintWriter(output, false, StandardCharsets.UTF_8);
    for (long value : getValues()) {
      out.println(value);
    }
    out.flush();
  }
}
