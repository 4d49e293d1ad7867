package io.github.sparkgpusched.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What an executor's devices compute of one UDF: what they did for tasks that have ended, and the
 * tasks that run. Those count for themselves, so that the threads of two tasks do not write to the
 * same cache lines at every block. Thread-safe; tasks begin and end here, and nobody comes once a
 * block.
 */
final class UdfCounters {
  private final String udf;

  // One lock for both: a task that ends is in one of them for whoever reads, and never in both.

  @GuardedBy("this")
  private final WorkCounts ended = new WorkCounts();

  @GuardedBy("this")
  private final Set<TaskWork> running = new HashSet<>();

  UdfCounters(String udf) {
    this.udf = udf;
  }

  String name() {
    return udf;
  }

  synchronized void begin(TaskWork work) {
    running.add(work);
  }

  /** A task has ended, and no device adds to it any more. False if it had ended before. */
  synchronized boolean end(TaskWork work) {
    if (!running.remove(work)) {
      return false;
    }
    ended.addAll(work.counts());
    return true;
  }

  /** Adds the tasks that run, by their ids. */
  synchronized void addRunning(Map<Long, TaskRun> tasks) {
    running.forEach(work -> tasks.merge(work.taskId(), TaskRun.of(work), TaskRun::plus));
  }

  /** The counts now; each is exact and only grows, and they are read one after the other. */
  synchronized UdfLoad snapshot() {
    WorkCounts all = new WorkCounts();
    all.addAll(ended);
    running.forEach(work -> all.addAll(work.counts()));
    return all.load(udf);
  }
}
