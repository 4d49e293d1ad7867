package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.PlacementHints;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.runtime.ExecutorRuntime;
import io.github.sparkgpusched.runtime.TaskLoad;
import io.github.sparkgpusched.schedule.Account;
import io.github.sparkgpusched.schedule.JobSpec;
import io.github.sparkgpusched.schedule.JobStats;
import io.github.sparkgpusched.schedule.strategy.Pace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.util.TaskFailureListener;

/**
 * The calls of a batched node in one task: their columns, and the job that computes a batch. Task
 * thread only.
 */
final class TaskCalls {
  private final BatchSpec spec;
  private final TaskContext task;
  private final BatchMemory memory;
  private final InputColumns inputs;
  private final List<CallColumns> columns = new ArrayList<>();
  private final List<BatchColumn> results = new ArrayList<>();
  private final ExecutorRuntime runtime = ExecutorRuntime.current();

  /** What the accumulators get. */
  private final TaskLoad load;

  private final Pace pace;
  private final Account account;
  private final PlacementHints hints;
  private final boolean mayRunTwice;
  private final CallBody body;

  /** What the task has computed, for the load table; null if nobody wants to know. */
  private final TaskWork work;

  /** The last job that was computed, or null. */
  private JobStats lastJob;

  TaskCalls(BatchSpec spec, TaskContext task, BatchMemory memory, InputColumns inputs) {
    this.spec = spec;
    this.task = task;
    this.memory = memory;
    this.inputs = inputs;
    this.work = startWork();
    this.load = new TaskLoad(runtime, SparkEnv.get().executorId(), spec.load());
    task.addTaskCompletionListener(
        context -> {
          load.flush();
          if (work != null) {
            runtime.load().endTask(work, context.isFailed());
          }
        });
    if (work != null) {
      TaskFailureListener failed = (context, error) -> tellOf(error);
      task.addTaskFailureListener(failed);
    }
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
    PlacementHints most = spec.calls().get(0).hints();
    for (CallSpec call : spec.calls()) {
      most = most.and(call.hints());
    }
    this.hints = most;
    this.mayRunTwice = spec.calls().stream().allMatch(CallSpec::mayRunTwice);
    this.account = new Account(spec.weight() * Math.scalb(1.0, hints.priority()));
    this.pace = runtime.pace(spec.functions());
    TaskVisit.Home home = TaskVisit.Home.here(task);
    long pieceNanos = runtime.targetBlockNanos();
    this.body =
        new CallBody(
            spec,
            columns,
            home,
            memory,
            runtime.scheduler()::hasLaunchDevices,
            () -> new ThreadCalls(spec.calls(), columns, home, memory, pieceNanos),
            work);
  }

  /** Blocks tell of their own errors; a row that is computed where it is is in none. */
  private void tellOf(Throwable error) {
    for (CallSpec call : spec.calls()) {
      UdfErrors.reason(error, call.call().name())
          .ifPresent(reason -> runtime.load().failedInline(work, reason));
    }
  }

  private TaskWork startWork() {
    if (!spec.surfaced()) {
      return null;
    }
    String udfs =
        spec.calls().stream()
            .map(c -> c.call().name())
            .distinct()
            .collect(Collectors.joining(", "));
    return runtime
        .load()
        .task(udfs, task.stageId(), task.stageAttemptNumber(), task.taskAttemptId());
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

  /** A core has computed rows of the task in place. */
  void countInline(int core, long rows, long startNanos, long endNanos) {
    spec.metrics().addInline(rows, endNanos - startNanos);
    load.addInline(core, rows, endNanos - startNanos);
    runtime.load().entry(core).addInline(rows, startNanos, endNanos, work);
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

  /** Bytes of execution memory that the task has if all others take as much. */
  long shareOfMemory() {
    MemoryManager manager = SparkEnv.get().memoryManager();
    long all =
        manager.tungstenMemoryMode() == MemoryMode.ON_HEAP
            ? manager.maxOnHeapStorageMemory()
            : manager.maxOffHeapStorageMemory();
    return all / runtime.cores();
  }

  /** Forgets the results, and gives their memory back. Task thread only, between jobs. */
  void releaseResults() {
    body.releaseResults();
  }

  /** The same, and the columns too. */
  void release() {
    releaseResults();
    results.forEach(BatchColumn::release);
  }

  /**
   * Computes all calls for the rows of a batch whose input columns are filled.
   *
   * @return false if the next batch should be smaller
   */
  boolean compute(int rows) {
    long batch = body.begin(rows);
    JobStats job;
    try {
      job =
          runtime
              .scheduler()
              .run(
                  JobSpec.of(rows, body)
                      .costs(RowCosts.of(body.mine(), columns, rows))
                      .cancelled(task::isInterrupted)
                      .strategy(runtime.strategy(spec.strategy()))
                      .pace(pace)
                      .account(account)
                      .hints(hints)
                      .mayRunTwice(mayRunTwice)
                      .repeats(
                          spec.adaptive()
                              ? null
                              : new Repeats(spec.plan(), task.partitionId(), batch))
                      .bytesPerRow(inputs.sampledBytesPerRow(rows) + resultBytesPerRow())
                      .build());
    } catch (Exception e) {
      throw JobFailures.of(e, task, body);
    }
    spec.metrics().add(job, runtime.cores(), runtime.load());
    load.add(job);
    lastJob = job;
    return memory.settle();
  }

  /** A batch that comes again if its query does: of the same partition, and the same in order. */
  private record Repeats(int plan, int partition, long batch) {}
}
