package io.github.sparkgpusched.device.cuda;

import com.sun.jna.NativeLibrary;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/**
 * Counters at a moment: what the double of the driver was called for, and processor time of
 * threads.
 *
 * @param calls into the driver
 * @param callNanos that calls took inside of the double
 * @param bytesToDevice that the driver was told to copy
 * @param bytesFromDevice likewise
 * @param launches of kernels
 * @param ownerNanos processor time of owners of devices
 * @param taskNanos processor time of tasks' threads
 */
record FeedFigures(
    long calls,
    long callNanos,
    long bytesToDevice,
    long bytesFromDevice,
    long launches,
    long ownerNanos,
    long taskNanos) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Counters now.
   *
   * @param tasks what the names of tasks' threads begin with
   */
  static FeedFigures now(String tasks) {
    long[] driver = new long[5];
    NativeLibrary.getInstance("libcuda.so.1")
        .getFunction("cudaDoubleFigures")
        .invokeVoid(new Object[] {driver});
    long owners = 0;
    long taskNanos = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null) {
        long nanos = Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
        owners += thread.getThreadName().startsWith("gpusched-cuda:") ? nanos : 0;
        taskNanos += thread.getThreadName().startsWith(tasks) ? nanos : 0;
      }
    }
    return new FeedFigures(
        driver[0], driver[1], driver[2], driver[3], driver[4], owners, taskNanos);
  }

  FeedFigures since(FeedFigures before) {
    return new FeedFigures(
        calls - before.calls,
        callNanos - before.callNanos,
        bytesToDevice - before.bytesToDevice,
        bytesFromDevice - before.bytesFromDevice,
        launches - before.launches,
        ownerNanos - before.ownerNanos,
        taskNanos - before.taskNanos);
  }
}
