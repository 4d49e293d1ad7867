package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.config.BatchingMode;
import io.github.sparkgpusched.schedule.LearnedChoice;
import java.io.Serializable;
import java.util.stream.Collectors;

/**
 * What the tasks of an {@link AdaptiveUdfsExec} need to know. Travels to them.
 *
 * @param batches of the rows that are batched
 * @param mode when rows are batched
 * @param copyNanos a guess of what going through a batch adds to a row
 * @param batchMethod whether a UDF has one
 * @param explained whether tasks log what was decided
 */
record InlineSpec(
    BatchSpec batches, BatchingMode mode, double copyNanos, boolean batchMethod, boolean explained)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What is known of the calls on an executor. */
  LearnedChoice.Setting setting(boolean launchDevices) {
    return new LearnedChoice.Setting(
        copyNanos,
        batchMethod,
        launchDevices,
        batches.batchRows(),
        batches.mayStopEarly(),
        batches.mayTravel());
  }

  /** Names of the calls, each once. */
  String udfs() {
    return batches.calls().stream()
        .map(call -> call.call().name())
        .distinct()
        .collect(Collectors.joining("', '"));
  }

  /** What the calls and their plan are known by. */
  String name() {
    return batches.functions() + " in " + batches.plan();
  }
}
