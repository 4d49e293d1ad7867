package io.github.sparkgpusched.schedule.strategy;

/**
 * What a strategy is told about one worker of a job before it has computed anything. A block of
 * {@code n} rows takes it {@code launch + transfer * n + max(latency, n / rate)}, where the rate is
 * its speed over what rows cost.
 *
 * @param speed declared speed relative to the other workers, above 0; learned better as blocks end
 * @param launchNanos time that each block takes on this worker before its rows are computed, at
 *     least 0
 * @param transferNanosPerRow what each row adds to that time
 * @param depth launches that may be in flight at once, at least 1; each has one block of a job at
 *     most, so it is also how many blocks of one job may be
 * @param staged true if it publishes a block's results apart from computing them, and can drop
 *     them; only blocks of such workers are computed twice, and only by such workers
 * @param fullRows rows with which it is at its full rate, so that fewer take about as long, at
 *     least 1
 * @param latencyNanos what computing such a block has turned out to take, however few rows it has;
 *     0 if nobody knows, and then it is what {@code fullRows} mean rows take
 */
public record WorkerSpec(
    double speed,
    long launchNanos,
    double transferNanosPerRow,
    int depth,
    boolean staged,
    long fullRows,
    long latencyNanos) {
  public WorkerSpec {
    if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a worker's speed is above 0 and finite, not " + speed);
    }
    if (launchNanos < 0 || !(transferNanosPerRow >= 0)) {
      throw new IllegalArgumentException(
          "launch and transfer take at least 0 ns, not "
              + launchNanos
              + ", "
              + transferNanosPerRow);
    }
    if (fullRows < 1 || latencyNanos < 0) {
      throw new IllegalArgumentException(
          "a worker computes at least 1 row at once, in at least 0 ns, not "
              + fullRows
              + ", "
              + latencyNanos);
    }
    if (depth < 1) {
      throw new IllegalArgumentException("at least 1 launch is in flight, not " + depth);
    }
  }

  /** A worker that publishes its results apart from computing them, one row after the other. */
  public static WorkerSpec staged(
      double speed, long launchNanos, double transferNanosPerRow, int depth) {
    return new WorkerSpec(speed, launchNanos, transferNanosPerRow, depth, true, 1, 0);
  }

  /** The same worker, for rows that take so much longer to be copied. */
  public WorkerSpec withMoreTransfer(double nanosPerRow) {
    return new WorkerSpec(
        speed,
        launchNanos,
        transferNanosPerRow + nanosPerRow,
        depth,
        staged,
        fullRows,
        latencyNanos);
  }

  /** The same worker, of whose launches is known what they take. */
  public WorkerSpec withLaunch(long nanos) {
    return new WorkerSpec(speed, nanos, transferNanosPerRow, depth, staged, fullRows, latencyNanos);
  }

  /** The same worker, of which is known what a block of few rows takes it; 0 if it is not. */
  public WorkerSpec withLatency(long nanos) {
    return new WorkerSpec(speed, launchNanos, transferNanosPerRow, depth, staged, fullRows, nanos);
  }

  /** A thread: speed 1, nothing to launch, one block at a time, results written as computed. */
  public static WorkerSpec host() {
    return new WorkerSpec(1, 0, 0, 1, false, 1, 0);
  }
}
