package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a block costs on the way between host and device, measured when the device is opened: a copy
 * there, a memset in the kernel's place, for there is no kernel yet, and a copy back, each on its
 * stage's stream and after the one before. A memset is queued and waited for as a kernel is.
 * Immutable.
 *
 * @param blockNanos of a block with next to no bytes and work: queued, done and waited for
 * @param nanosPerByte what each byte adds, the mean of both directions
 */
record LinkCosts(long blockNanos, double nanosPerByte) {
  private static final Logger LOG = LoggerFactory.getLogger(LinkCosts.class);

  /** Of a device that is not open yet, or has no room to measure in: 10 us, and 16 GB/s. */
  static final LinkCosts UNMEASURED = new LinkCosts(10_000, 1 / 16.0);

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
    List<CUevent> events = List.of(streams.newEvent(), streams.newEvent(), streams.newEvent());
    long[] small = new long[ROUNDS];
    long[] large = new long[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      small[i] = thereAndBack(streams, events, host, device, SMALL_BYTES);
      large[i] = thereAndBack(streams, events, host, device, LARGE_BYTES);
    }
    events.forEach(JCudaDriver::cuEventDestroy);
    Arrays.sort(small);
    Arrays.sort(large);
    long smallNanos = small[ROUNDS / 2];
    long copiesNanos = Math.max(0, large[ROUNDS / 2] - smallNanos);
    return new LinkCosts(smallNanos, (double) copiesNanos / (2.0 * (LARGE_BYTES - SMALL_BYTES)));
  }

  private static long thereAndBack(
      Streams streams, List<CUevent> events, long host, long device, int bytes)
      throws DeviceFailedException {
    CUevent there = events.get(0);
    CUevent computed = events.get(1);
    CUevent back = events.get(2);
    long begin = System.nanoTime();
    streams.check(
        JCudaDriver.cuMemcpyHtoDAsync(
            Addresses.device(device),
            Addresses.host(host),
            bytes,
            streams.of(Stage.HOST_TO_DEVICE)),
        "cuMemcpyHtoDAsync");
    streams.record(there, Stage.HOST_TO_DEVICE);
    streams.await(there, Stage.COMPUTE);
    streams.check(
        JCudaDriver.cuMemsetD8Async(
            Addresses.device(device), (byte) 0, SMALL_BYTES, streams.of(Stage.COMPUTE)),
        "cuMemsetD8Async");
    streams.record(computed, Stage.COMPUTE);
    streams.await(computed, Stage.DEVICE_TO_HOST);
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
