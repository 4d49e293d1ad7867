package io.github.sparkgpusched.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The application's load table on the driver: the last report of each executor, and how old it is.
 * Of executors that have ended it keeps the most recent ones. Thread-safe.
 */
public final class ApplicationLoad {
  private final int retainedEnded;

  /** By executor id, in the order of their first reports. Guarded by this. */
  private final Map<String, Kept> executors = new LinkedHashMap<>();

  /** Guarded by {@link ApplicationLoad}'s lock. */
  private static final class Kept {
    ExecutorLoad report;
    long receivedNanos;
    boolean ended;
  }

  /**
   * An executor's place in the table.
   *
   * @param report what it reported last
   * @param ageMillis time since the driver got that report
   * @param ended true if the executor has ended: the report is its last word, and what it computed
   *     after it is not known
   */
  public record Executor(ExecutorLoad report, long ageMillis, boolean ended) {}

  /**
   * An empty table.
   *
   * @param retainedEnded how many executors that have ended are kept, at least 0
   */
  public ApplicationLoad(int retainedEnded) {
    this.retainedEnded = retainedEnded;
  }

  /** Takes an executor's report; one that is older than the last is ignored. */
  public synchronized void update(ExecutorLoad report, long nowNanos) {
    Kept kept = executors.computeIfAbsent(report.executorId(), id -> new Kept());
    if (kept.report == null || kept.report.sequence() < report.sequence()) {
      kept.report = report;
      kept.receivedNanos = nowNanos;
    }
  }

  /** An executor has ended. */
  public synchronized void executorEnded(String executorId) {
    Kept kept = executors.remove(executorId);
    if (kept == null) {
      return;
    }
    kept.ended = true;
    executors.put(executorId, kept); // now the last of those that have ended
    long ended = executors.values().stream().filter(k -> k.ended).count();
    var all = executors.values().iterator();
    while (ended > retainedEnded && all.hasNext()) {
      if (all.next().ended) {
        all.remove();
        ended--;
      }
    }
  }

  /** The table now. */
  public synchronized List<Executor> snapshot(long nowNanos) {
    List<Executor> snapshot = new ArrayList<>(executors.size());
    for (Kept kept : executors.values()) {
      long age = TimeUnit.NANOSECONDS.toMillis(nowNanos - kept.receivedNanos);
      snapshot.add(new Executor(kept.report, Math.max(0, age), kept.ended));
    }
    return snapshot;
  }
}
