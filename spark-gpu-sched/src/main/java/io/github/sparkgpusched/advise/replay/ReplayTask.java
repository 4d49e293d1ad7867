package io.github.sparkgpusched.advise.replay;

/**
 * What a task takes when it runs alone.
 *
 * @param otherSeconds what its own thread must do: scans, sorts, shuffles
 * @param functionSeconds calls of functions, which other cores can take over
 * @param rows that the functions are called for; a row is not divided
 */
public record ReplayTask(double otherSeconds, double functionSeconds, long rows) {
  double seconds() {
    return otherSeconds + functionSeconds;
  }

  /** Nanoseconds of the functions for a row. */
  double rowNanos() {
    return functionSeconds * 1e9 / Math.max(1, rows);
  }
}
