package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a block costs on the way between host and device, measured when the device is opened.
 * Immutable.
 *
 * @param blockNanos of a block with next to no bytes: its copies queued, made and waited for, and
 *     its kernel launched
 * @param nanosPerByte what each byte adds, the mean of both directions
 */
record LinkCosts(long blockNanos, double nanosPerByte) {
  private static final Logger LOG = LoggerFactory.getLogger(LinkCosts.class);

  /** Of a device that is not open yet, or has no room to measure in: 10 us, and 16 GB/s. */
  static final LinkCosts UNMEASURED = new LinkCosts(10_000, 1 / 16.0);

  /**
   * What a kernel's launch adds: a guess, for there is no kernel yet when a device is opened, and
   * not looked into on a GPU by us.
   */
  private static final long KERNEL_NANOS = 5_000;

  private static final int SMALL_BYTES = 64;

  private static final int LARGE_BYTES = 4 << 20;

  /** The median counts, so that first uses of a path, and interrupts, do not. */
  private static final int ROUNDS = 7;

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Owner's thread. Leaves nothing behind, unless the device fails. */
  static LinkCosts measure(Streams streams, PinnedMemory pinned, DeviceMemory memory)
      throws DeviceFailedException {
    long host;
    long device;
    try {
      host = pinned.allocate(LARGE_BYTES);
    } catch (DeviceMemoryException e) {
      return unmeasured(streams, e);
    }
    try {
      device = memory.allocateAtOnce(LARGE_BYTES);
    } catch (DeviceMemoryException e) {
      pinned.free(host, LARGE_BYTES);
      return unmeasured(streams, e);
    }
    LinkCosts costs = measure(streams, host, device);
    memory.freeAtOnce(device, LARGE_BYTES);
    pinned.free(host, LARGE_BYTES);
    return costs;
  }

  private static LinkCosts unmeasured(Streams streams, DeviceMemoryException e) {
    LOG.debug("{}: what copies cost is not measured", streams.device(), e);
    return UNMEASURED;
  }

  private static LinkCosts measure(Streams streams, long host, long device)
      throws DeviceFailedException {
    CUevent there = streams.newEvent();
    CUevent back = streams.newEvent();
    long[] small = new long[ROUNDS];
    long[] large = new long[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      small[i] = thereAndBack(streams, there, back, host, device, SMALL_BYTES);
      large[i] = thereAndBack(streams, there, back, host, device, LARGE_BYTES);
    }
    JCudaDriver.cuEventDestroy(there);
    JCudaDriver.cuEventDestroy(back);
    Arrays.sort(small);
    Arrays.sort(large);
    long smallNanos = small[ROUNDS / 2];
    long copiesNanos = Math.max(0, large[ROUNDS / 2] - smallNanos);
    return new LinkCosts(
        smallNanos + KERNEL_NANOS, (double) copiesNanos / (2.0 * (LARGE_BYTES - SMALL_BYTES)));
  }

  private static long thereAndBack(
      Streams streams, CUevent there, CUevent back, long host, long device, int bytes)
      throws DeviceFailedException {
    long begin = System.nanoTime();
    streams.check(
        JCudaDriver.cuMemcpyHtoDAsync(
            Addresses.device(device),
            Addresses.host(host),
            bytes,
            streams.of(Stage.HOST_TO_DEVICE)),
        "cuMemcpyHtoDAsync");
    streams.record(there, Stage.HOST_TO_DEVICE);
    streams.await(there, Stage.DEVICE_TO_HOST);
    streams.check(
        JCudaDriver.cuMemcpyDtoHAsync(
            Addresses.host(host),
            Addresses.device(device),
            bytes,
            streams.of(Stage.DEVICE_TO_HOST)),
        "cuMemcpyDtoHAsync");
    streams.record(back, Stage.DEVICE_TO_HOST);
    while (!streams.isDone(back)) {
      if (System.nanoTime() - begin > LIMIT_NANOS) {
        throw new DeviceFailedException(
            streams.device() + " has not copied " + bytes + " bytes there and back in 10 s", null);
      }
      Thread.onSpinWait();
    }
    return Math.max(1, System.nanoTime() - begin);
  }
}
