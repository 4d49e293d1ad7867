package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.load.ExecutorLoad;
import java.util.HashMap;
import java.util.Map;

/**
 * How far executors' clocks are from the driver's: one that is wrong would put its blocks where no
 * other's are. Not thread-safe; {@link LoadPublisher} guards it.
 */
final class Clocks {
  /** Clocks that differ by less are right: a report may be as long on its way. */
  private static final long RIGHT_MILLIS = 1000;

  /** No report is this long on its way: its executor's clock has been set. */
  private static final long SET_MILLIS = 60_000;

  /**
   * By executor, what the driver's clock is ahead by: the least, of the report that came fastest.
   */
  private final Map<String, Long> ahead = new HashMap<>();

  /** A report that has just come, by the driver's clock. */
  ExecutorLoad byDriver(ExecutorLoad report, long nowMillis) {
    long late = nowMillis - report.timeMillis();
    long least =
        ahead.merge(
            report.executorId(),
            late,
            (old, now) -> now - old > SET_MILLIS ? now : Math.min(old, now));
    return Math.abs(least) <= RIGHT_MILLIS ? report : report.later(least);
  }

  void forget(String executorId) {
    ahead.remove(executorId);
  }
}
