package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.config.BatchingMode;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.BatchChoice;
import java.util.function.IntSupplier;
import org.apache.spark.TaskContext;

/** Who decides for a task which of its rows are batched. */
final class BatchChoices {
  private BatchChoices() {}

  static BatchChoice of(InlineSpec spec, ExecutorRuntime runtime, TaskContext task) {
    if (spec.mode() == BatchingMode.NEVER) {
      return new Fixed(false, 1, () -> 1);
    }
    boolean launchDevices = runtime.scheduler().hasLaunchDevices();
    boolean exact = spec.batches().calls().stream().allMatch(CallSpec::exact);
    if (launchDevices && (!exact || !runtime.scheduler().hostsShare())) {
      // Cores are to compute nothing: their results may differ, or nobody wants them to.
      return new Fixed(
          true,
          spec.batches().batchRows(),
          () -> batchRows(spec.batches(), runtime.scheduler().waveRows()));
    }
    return runtime.batchChoice(spec.name(), spec.setting(launchDevices), task.taskAttemptId());
  }

  /** As many as fill a launch device, unless the task may be left before its last row. */
  private static int batchRows(BatchSpec spec, long waveRows) {
    return spec.mayStopEarly() ? spec.batchRows() : TaskBatches.mostRows(spec, waveRows);
  }

  /** All rows alike. Task thread only. */
  private static final class Fixed implements BatchChoice {
    private final boolean batches;
    private final int rows;
    private final IntSupplier onDevices;

    /** Asked for with each row, and so looked up once a batch. */
    private int batchRows;

    /**
     * @param rows of a batch
     * @param onDevices the same once devices have computed some of the last one
     */
    Fixed(boolean batches, int rows, IntSupplier onDevices) {
      this.batches = batches;
      this.rows = rows;
      this.onDevices = onDevices;
      this.batchRows = rows;
    }

    @Override
    public boolean isBatching() {
      return batches;
    }

    @Override
    public int batchRows() {
      return batchRows;
    }

    @Override
    public int rowsToLook() {
      return Short.MAX_VALUE;
    }

    @Override
    public void look(long rows) {}

    @Override
    public void timed(long nanos) {}

    @Override
    public void batchDone(int done, long wallNanos, long coreRows, long coreNanos) {
      batchRows = coreRows < done ? onDevices.getAsInt() : rows;
    }
  }
}
