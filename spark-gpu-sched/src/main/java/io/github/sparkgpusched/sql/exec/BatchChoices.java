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
      return new Fixed(false, 1);
    }
    boolean launchDevices = runtime.scheduler().hasLaunchDevices();
    boolean exact = spec.batches().calls().stream().allMatch(CallSpec::exact);
    if (launchDevices && (!exact || !runtime.scheduler().hostsShare())) {
      // Cores are to compute nothing: their results may differ, or nobody wants them to.
      return new Fixed(true, spec.batches().batchRows());
    }
    return runtime.batchChoice(spec.name(), spec.setting(launchDevices), task.taskAttemptId());
  }

  /** All rows alike. */
  private record Fixed(boolean isBatching, int batchRows) implements BatchChoice {
    @Override
    public int rowsToLook() {
      return Short.MAX_VALUE;
    }

    @Override
    public void look(long rows) {}

    @Override
    public void timed(long nanos) {}

    @Override
    public void batchDone(int rows, long wallNanos, long coreRows, long coreNanos) {}
  }
}
