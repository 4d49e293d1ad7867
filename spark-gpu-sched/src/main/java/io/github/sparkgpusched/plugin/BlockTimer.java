package io.github.sparkgpusched.plugin;

import com.codahale.metrics.Meter;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.load.UdfLoad;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The blocks of a UDF as a Dropwizard timer. It is made of counts that are kept anyway, when a sink
 * reads it: nothing is done for it when a block ends. Rates are of the blocks that came between two
 * reads. Thread-safe.
 */
final class BlockTimer extends Timer {
  private final Supplier<UdfLoad> load;
  private final Meter blocks = new Meter();

  /** Blocks that {@link #blocks} knows of. */
  @GuardedBy("this")
  private long marked;

  BlockTimer(Supplier<UdfLoad> load) {
    this.load = load;
  }

  private synchronized Meter meter() {
    long now = load.get().work().blocks();
    if (now > marked) {
      blocks.mark(now - marked);
      marked = now;
    }
    return blocks;
  }

  @Override
  public long getCount() {
    return load.get().work().blocks();
  }

  @Override
  public Snapshot getSnapshot() {
    return new BlockTimesSnapshot(load.get());
  }

  @Override
  public double getMeanRate() {
    return meter().getMeanRate();
  }

  @Override
  public double getOneMinuteRate() {
    return meter().getOneMinuteRate();
  }

  @Override
  public double getFiveMinuteRate() {
    return meter().getFiveMinuteRate();
  }

  @Override
  public double getFifteenMinuteRate() {
    return meter().getFifteenMinuteRate();
  }

  @Override
  public void update(long duration, TimeUnit unit) {
    throw readOnly();
  }

  @Override
  public void update(Duration duration) {
    throw readOnly();
  }

  @Override
  public <T> T time(Callable<T> event) {
    throw readOnly();
  }

  @Override
  public <T> T timeSupplier(Supplier<T> event) {
    throw readOnly();
  }

  @Override
  public void time(Runnable event) {
    throw readOnly();
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException(
        "the blocks that devices compute are timed, and only these");
  }
}
