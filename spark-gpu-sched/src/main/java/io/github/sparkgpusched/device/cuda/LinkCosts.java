package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.unsafe.Platform;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a block costs besides its kernel, measured when the device is opened: blocks go the way that
 * all blocks go ({@link CudaPipeline}), from staging to the end of the copy back, with all calls,
 * and are waited for as by an owner that has a core to itself (one that has not sleeps between two
 * looks). There is no kernel yet, so a memset is queued in its place. Immutable.
 *
 * @param blockNanos of a block with next to no bytes and work
 * @param nanosPerByte what each byte adds, the mean of both directions
 */
record LinkCosts(long blockNanos, double nanosPerByte) {
  private static final Logger LOG = LoggerFactory.getLogger(LinkCosts.class);

  /** Of a device that is not open yet, or has no room to measure in: 10 us, and 16 GB/s. */
  static final LinkCosts UNMEASURED = new LinkCosts(10_000, 1 / 16.0);

  private static final int SMALL_BYTES = 256;

  private static final int LARGE_BYTES = 4 << 20;

  private static final int STATUS_BYTES = 128;

  /**
   * Of a block the median counts, so that first uses of a path, and interrupts, do not. What bytes
   * add is told by the shortest: on a busy machine it is far less than what else passes.
   */
  private static final int ROUNDS = 7;

  /** The scheduler's owner looks again at once for so long, and then between short sleeps. */
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(75);

  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Owner's thread.
   *
   * @param pipeline of its own, which the caller closes
   */
  static LinkCosts measure(CudaPipeline pipeline) throws DeviceFailedException {
    BlockPlan small = plan(SMALL_BYTES);
    BlockPlan large = plan(LARGE_BYTES);
    long[] smallNanos = new long[ROUNDS];
    long[] largeNanos = new long[ROUNDS];
    try {
      for (int i = 0; i < ROUNDS; i++) {
        largeNanos[i] = block(pipeline, large);
        smallNanos[i] = block(pipeline, small);
      }
    } catch (DeviceMemoryException e) {
      LOG.debug("{}: what copies cost is not measured", pipeline.device(), e);
      return UNMEASURED;
    } catch (JobRefusedException e) {
      throw new IllegalStateException("there is no kernel that could be refused", e);
    }
    Arrays.sort(smallNanos);
    Arrays.sort(largeNanos);
    long blockNanos = smallNanos[ROUNDS / 2];
    double perByte = (largeNanos[0] - smallNanos[0]) / (2.0 * (LARGE_BYTES - SMALL_BYTES));
    return new LinkCosts(blockNanos, perByte > 0 ? perByte : UNMEASURED.nanosPerByte());
  }

  /** So many bytes go each way. */
  static BlockPlan plan(long bytes) {
    return new BlockPlan(
        List.of(),
        bytes,
        STATUS_BYTES,
        bytes,
        STATUS_BYTES,
        STATUS_BYTES,
        (from, to) -> {},
        List.of());
  }

  private static long block(CudaPipeline pipeline, BlockPlan plan)
      throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
    long begin = System.nanoTime();
    Slot slot = pipeline.take(plan.argumentBytes());
    try {
      Platform.setMemory(slot.argumentsToFill(), (byte) 0, plan.argumentBytes());
      pipeline.kick(plan, plan, slot, false);
      await(pipeline, slot, begin);
    } finally {
      pipeline.rules().closed(plan);
      pipeline.giveBack(slot);
    }
    return Math.max(1, System.nanoTime() - begin);
  }

  private static void await(CudaPipeline pipeline, Slot slot, long begin)
      throws DeviceFailedException {
    long kicked = System.nanoTime();
    while (!slot.isDone()) {
      long now = System.nanoTime();
      if (now - begin > LIMIT_NANOS) {
        throw new DeviceFailedException(
            pipeline.device() + " has not copied a block there and back in 10 s", null);
      }
      if (now - kicked < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(slot, POLL_NANOS);
      }
    }
  }
}
