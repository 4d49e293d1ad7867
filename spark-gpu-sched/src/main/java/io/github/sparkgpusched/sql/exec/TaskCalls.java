package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.BatchTooLargeException;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.schedule.JobSpec;
import io.github.sparkgpusched.schedule.JobStats;
import io.github.sparkgpusched.schedule.RunningJob;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of a batched node for the rows of one batch after the other: their columns, and the job
 * that computes a batch. For the thread that reads the task's rows.
 */
final class TaskCalls {
  private final BatchSpec spec;
  private final TaskLedger ledger;
  private final BatchMemory memory;
  private final InputColumns inputs;
  private final List<CallColumns> columns = new ArrayList<>();
  private final List<BatchColumn> results = new ArrayList<>();
  private final ExecutorRuntime runtime = ExecutorRuntime.current();
  private final CallBody body;

  /** From {@link #start} to {@link #finish}; else null. */
  private RunningJob running;

  /** Why the job could not be started, which {@link #finish} says. */
  private Exception notStarted;

  /** The last job that was computed, or null. */
  private JobStats lastJob;

  TaskCalls(BatchSpec spec, TaskLedger ledger, BatchMemory memory, InputColumns inputs) {
    this.spec = spec;
    this.ledger = ledger;
    this.memory = memory;
    this.inputs = inputs;
    for (CallSpec call : spec.calls()) {
      BatchColumn[] arguments = new BatchColumn[call.arguments().size()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = inputs.column(call.arguments().get(i));
      }
      BatchColumn guard = call.guard() < 0 ? null : inputs.column(call.guard());
      BatchColumn result =
          new BatchColumn(
              ColumnType.ofResult(call.call().resultType()).orElseThrow(),
              call.call().resultType(),
              memory);
      columns.add(new CallColumns(arguments, guard, result, call.takesNulls()));
      results.add(result);
    }
    long pieceNanos = runtime.targetBlockNanos();
    boolean mayTravel = spec.mayTravel();
    this.body =
        new CallBody(
            spec,
            columns,
            ledger.home(),
            memory,
            () -> runtime.scheduler().hasLaunchDevices(mayTravel),
            () ->
                new ThreadCalls(
                    spec.calls(), ledger.udfs(), columns, memory, ledger::isOver, pieceNanos),
            ledger.work());
  }

  /** One result column a call. */
  List<BatchColumn> results() {
    return results;
  }

  int resultBytesPerRow() {
    return results.stream().mapToInt(BatchColumn::bytesPerRow).sum();
  }

  void reserve(int rows) throws BatchMemory.Refused {
    for (BatchColumn result : results) {
      result.reserve(rows);
    }
  }

  /** How many rows a batch should have for the launch devices that computed the last one; or 0. */
  long waveRows() {
    for (int device = runtime.cores(); lastJob != null && device < lastJob.devices(); device++) {
      if (lastJob.rows(device) > 0) {
        return runtime.scheduler().waveRows();
      }
    }
    return 0;
  }

  JobStats lastJob() {
    return lastJob;
  }

  /** Forgets the results, and gives their memory back. Between jobs. */
  void releaseResults() {
    body.releaseResults();
  }

  /** The same, and the columns too. */
  void release() {
    releaseResults();
    results.forEach(BatchColumn::release);
  }

  /**
   * Begins to have all calls computed for the rows of a batch whose input columns are filled. Until
   * {@link #finish} nothing of the batch may be touched.
   */
  void start(int rows) {
    try {
      reserve(rows); // a column that a device has filled has no more room than it had rows then
    } catch (BatchMemory.Refused e) {
      throw new BatchTooLargeException("the results of a batch", e.requestedBytes());
    }
    long batch = ledger.nextBatch();
    body.begin(batch, rows);
    try {
      running =
          runtime
              .scheduler()
              .start(
                  ledger
                      .settings(JobSpec.of(rows, body))
                      .costs(RowCosts.of(body.mine(), columns, rows))
                      .repeats(
                          spec.adaptive()
                              ? null
                              : new Repeats(spec.plan(), ledger.task().partitionId(), batch))
                      .bytesPerRow(inputs.sampledBytesPerRow(rows) + resultBytesPerRow())
                      .build());
    } catch (RuntimeException e) {
      notStarted = e;
    }
  }

  /** Whether others compute a job that was started, or will, or have. */
  boolean isShared() {
    return running != null && running.isShared();
  }

  /** Whether a job was started that has not been finished. */
  boolean isStarted() {
    return running != null || notStarted != null;
  }

  /**
   * Computes what is left of the batch.
   *
   * @return false if the next batch should be smaller
   */
  boolean finish() {
    JobStats job;
    try {
      job = stats();
    } catch (Exception e) {
      throw JobFailures.of(e, ledger.task(), body);
    }
    ledger.add(job);
    lastJob = job;
    results.forEach(BatchColumn::takeAdopted);
    return memory.settle();
  }

  private JobStats stats() throws Exception {
    RunningJob started = running;
    Exception failure = notStarted;
    running = null;
    notStarted = null;
    if (failure != null) {
      throw failure;
    }
    return started.finish();
  }

  /** Has no more of a batch computed that was started, and returns when nobody is at it. */
  void cancel() {
    if (running != null) {
      running.cancel();
      running = null;
    }
  }

  /** A batch that comes again if its query does: of the same partition, and the same in order. */
  private record Repeats(int plan, int partition, long batch) {}
}
