package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import java.util.concurrent.TimeUnit;

/**
 * How long a block's kernels took. Events say so for a few blocks, as each event is a call into the
 * driver; their kernels run alone ({@link BlockQueue}). Of the others, one that was alone on the
 * device took the time from its launch to its end, less its copies and what timed ones took
 * besides; one behind another is not known: it adds the time from the other's end to its own, which
 * the scheduler sees by itself. A block that was the first of its size or kernel says nothing of
 * the next ones. Owner's thread only.
 */
final class LaunchTime {
  /** The kernels of a block that is not timed took at least one of so many parts of its time. */
  private static final int LEAST_PART = 8;

  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CudaPipeline pipeline;
  private final boolean always;
  private boolean timed;
  private boolean alone;
  private int weight;
  private long beginNanos;
  private long doneNanos;

  /**
   * @param always whether it is timed in any case
   */
  LaunchTime(CudaPipeline pipeline, boolean always) {
    this.pipeline = pipeline;
    this.always = always;
  }

  /** The block is launched now. */
  void begin() {
    timed = always || pipeline.timesNext();
    weight = Math.max(1, pipeline.weightOfNext());
    alone = pipeline.rules().isEmpty();
    beginNanos = System.nanoTime();
  }

  boolean isTimed() {
    return timed;
  }

  /** Whether the block has been under way for so long that two more calls for it do not matter. */
  boolean isLong() {
    return System.nanoTime() - beginNanos > LONG_NANOS;
  }

  /** The block is done; may be said again. */
  void done() {
    if (doneNanos == 0) {
      doneNanos = System.nanoTime();
    }
  }

  /**
   * In nanoseconds, of a block that is done; below 0 if it is not known.
   *
   * @param copyNanos what its copies take
   */
  long computeNanos(Slot slot, CudaDevice device, long copyNanos) throws DeviceFailedException {
    long wall = Math.max(1, doneNanos - beginNanos);
    if (timed) {
      long nanos = pipeline.computeNanos(slot);
      if (alone) {
        device.countStall(weight * pipeline.copyInNanos(slot));
      }
      if (alone && slot.isCold()) {
        pipeline.timeNext();
      } else if (alone) {
        pipeline.learnAdded(wall - nanos - copyNanos);
      }
      return nanos;
    }
    if (!alone || slot.isCold()) {
      return -1;
    }
    // An owner that comes back late makes it look long: rows never look as if they took nothing.
    return Math.max(Math.max(1, wall / LEAST_PART), wall - copyNanos - pipeline.addedNanos());
  }
}
