package io.github.sparkgpusched.schedule;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The time that a core was the calling thread's. Thread-safe. */
final class ThreadTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final boolean KNOWN =
      THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

  private ThreadTime() {}

  /** Nanoseconds since some time; the clock's where this machine does not know more. */
  static long nanos() {
    return KNOWN ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }
}
