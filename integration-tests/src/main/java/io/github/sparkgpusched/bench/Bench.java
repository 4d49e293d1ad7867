package io.github.sparkgpusched.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** What benchmarks share. */
public final class Bench {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private Bench() {}

  /** Processor time of all threads of this JVM, its own included. */
  static long processorNanos() {
    return PROCESS.getProcessCpuTime();
  }

  /** The middle of the values, or the mean of the two in the middle. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
