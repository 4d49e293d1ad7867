package io.github.sparkgpusched.sql.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.GpuUdf;
import java.io.Serializable;
import java.util.List;

/**
 * A task's copies of a node's UDFs, one for each thread that calls them. A task may read many
 * partitions of the node, as after {@code coalesce}: they share the copies, as they share Spark's.
 * Thread-safe.
 */
final class TaskCopies implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Null until the first partition; made anew for another task. */
  @GuardedBy("this")
  private transient PerThread<List<GpuUdf>> copies;

  @GuardedBy("this")
  private transient long taskAttemptId;

  /** The copies of a task, which visits come from. */
  synchronized PerThread<List<GpuUdf>> of(List<CallSpec> calls, TaskVisit.Home home) {
    long task = home.context().taskAttemptId();
    if (copies == null || task != taskAttemptId) {
      copies =
          new PerThread<>(
              () -> calls.stream().map(call -> ThreadCalls.copy(call, home.loader())).toList());
      taskAttemptId = task;
    }
    return copies;
  }
}
