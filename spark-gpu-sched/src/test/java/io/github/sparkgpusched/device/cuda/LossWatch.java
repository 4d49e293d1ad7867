package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.testing.Patience;
import java.util.List;

/** Sees when a device is given up, and how late a thread of this machine gets a core meanwhile. */
final class LossWatch implements AutoCloseable {
  /** In the environment: a hang that is noticed late is wrong. */
  static final String JUDGED = "LATE_IS_WRONG";

  private final LoadTable table;
  private final int device;
  private final Thread thread = new Thread(this::look, "loss-watch");

  /** When the device was seen to be given up; 0 before. */
  private volatile long seenNanos;

  /** How much longer than it asked for the thread has slept at most. */
  private volatile long pauseNanos;

  private volatile boolean closed;

  LossWatch(LoadTable table, int device) {
    this.table = table;
    this.device = device;
    thread.setDaemon(true);
    thread.start();
  }

  private void look() {
    while (!closed && seenNanos == 0) {
      long before = System.nanoTime();
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        return;
      }
      long now = System.nanoTime();
      pauseNanos = Math.max(pauseNanos, now - before - 1_000_000);
      if (table.snapshot().get(device).state() == DeviceState.QUARANTINED) {
        seenNanos = now;
      }
    }
  }

  /**
   * How much later than its limit a hang was noticed, as a part of the limit. Where {@link #JUDGED}
   * is set, a tenth is allowed, and on a busy machine what a thread has waited for a core
   * meanwhile, twice: the owner's, and this one's. Tests do without: who gets a core is no matter
   * of theirs.
   */
  double late(long sinceNanos, long limitNanos, List<String> wrong) throws InterruptedException {
    thread.join(Patience.NANOS / 1_000_000);
    long late = seenNanos - sinceNanos - limitNanos;
    if (seenNanos == 0) {
      wrong.add("a hang was not noticed");
    } else if (System.getenv(JUDGED) != null && late > limitNanos / 10 + 2 * pauseNanos) {
      wrong.add(
          "a hang was noticed %d ms after its limit of %d ms; threads waited %d ms for a core"
              .formatted(late / 1_000_000, limitNanos / 1_000_000, pauseNanos / 1_000_000));
    }
    return (double) late / limitNanos;
  }

  @Override
  public void close() {
    closed = true;
  }
}
