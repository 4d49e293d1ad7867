package io.github.sparkgpusched.advise.replay;

import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.config.RemoteKeys;
import io.github.sparkgpusched.device.remote.Waits;

/**
 * What sharing costs, as the benchmarks have it: constants that make a prediction.
 *
 * <p>A row that is shared is copied to a batch first. A core that helps is not quite a core more:
 * blocks end at different times, and memory is shared, too. The waits between executors are those
 * of the plugin.
 */
final class Costs {
  /** A row's copy to a batch, and its result's way back. */
  static final double COPY_NANOS = 40;

  /** What one more core of the executor adds. */
  static final double HELPER = 0.95;

  /** What a core of another executor adds: rows travel there and back, and wait on their way. */
  static final double BORROWED = 0.75;

  /** Batches must gain so much of the calls' time, or rows stay where they are. */
  static final double LEAST_GAIN = 0.05;

  /** Until a task has measured that batches are faster, in seconds. */
  static final double LEARN_SECONDS = 0.005;

  /** An executor that wants cores has wanted them for so long, in seconds. */
  static final double WANTED_SECONDS = Waits.PATIENT_NANOS / 1e9;

  /** A core is lent when it was idle for so long. */
  static final double IDLE_SECONDS = Waits.IDLE_NANOS / 1e9;

  /** An executor lends nothing so shortly after it wanted cores itself. */
  static final double QUIET_SECONDS = Waits.LASTING_NANOS / 1e9;

  /** Who wants cores or has some is asked so often. */
  static final double LOOK_SECONDS = Waits.LOOK_NANOS / 1e9;

  /** Cheaper rows do not travel, as a rule: most stand between operators. */
  static final double TRAVEL_ROW_NANOS = Waits.LEAST_ROW_NANOS;

  /** Rows that take more stay, too. */
  static final double MOST_TRAVEL_ROW_NANOS = Waits.MOST_ROW_NANOS;

  /** A batch of less work never travels. */
  static final double TRAVEL_BATCH_SECONDS = Waits.LEAST_SEARCH_NANOS / 1e9;

  /** A batch waits for one core of another executor for each so much of its work. */
  static final double TRAVEL_CORE_SECONDS = Waits.LEAST_JOB_NANOS / 1e9;

  /** As many cores of others as an executor uses unless it is told otherwise. */
  static final int MOST_BORROWED = RemoteKeys.REMOTE_CORES.defaultValue();

  /** Of a batch at most. */
  static final int BATCH_ROWS = QueryKeys.BATCH_ROWS.defaultValue();

  private Costs() {}
}
