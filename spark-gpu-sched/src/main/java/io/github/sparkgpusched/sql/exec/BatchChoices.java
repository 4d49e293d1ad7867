package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.config.BatchingMode;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.BatchChoice;
import org.apache.spark.TaskContext;

/** Who decides for a task which of its rows are batched. */
final class BatchChoices {
  private BatchChoices() {}

  static BatchChoice of(InlineSpec spec, ExecutorRuntime runtime, TaskContext task) {
    if (spec.mode() == BatchingMode.NEVER) {
      return new FixedChoice(false, 1, () -> 1);
    }
    boolean launchDevices = runtime.scheduler().hasLaunchDevices(spec.batches().mayTravel());
    boolean exact = spec.batches().calls().stream().allMatch(CallSpec::exact);
    if (launchDevices && (!exact || !runtime.scheduler().hostsShare())) {
      // Cores are to compute nothing: their results may differ, or nobody wants them to.
      return new FixedChoice(
          true,
          spec.batches().batchRows(),
          () -> batchRows(spec.batches(), runtime.scheduler().waveRows()));
    }
    return runtime.batchChoice(spec.name(), spec.setting(launchDevices), task.taskAttemptId());
  }

  /** As many as fill a launch device, unless the task may be left before its last row. */
  private static int batchRows(BatchSpec spec, long waveRows) {
    return spec.mayStopEarly() ? spec.batchRows() : BatchSize.most(spec.batchRows(), waveRows);
  }
}
