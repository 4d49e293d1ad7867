package io.github.sparkgpusched.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadTable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends an executor's load to the driver: once at the start, then at most once an interval while
 * the load changes, and nothing while it does not. After a change the driver has heard of it within
 * an interval and the way there. One thread, which waits without a time-out while no task runs.
 */
final class LoadReporter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoadReporter.class);

  private final String executorId;
  private final LoadTable table;
  private final long intervalNanos;
  private final LoadSink sink;
  private final Thread thread;

  /** Tasks that run, up and down by their threads. */
  @GuardedBy("this")
  private int tasks;

  /** False to true, once, in {@link #close}. */
  @GuardedBy("this")
  private boolean closed;

  /** Null before the first report. Used by the reporter's thread. */
  private ExecutorLoad last;

  LoadReporter(String executorId, LoadTable table, long intervalMillis, LoadSink sink) {
    this.executorId = executorId;
    this.table = table;
    this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    this.sink = sink;
    // Whatever the thread that starts Spark has of its own is not for the application's life.
    this.thread = new Thread(null, this::serve, "gpusched-load", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(LoadReporter.class.getClassLoader());
  }

  void start() {
    thread.start();
  }

  synchronized void taskStarted() {
    if (tasks++ == 0) {
      notifyAll();
    }
  }

  synchronized void taskEnded() {
    tasks--;
  }

  private void serve() {
    report();
    while (awaitTask()) {
      boolean wasActive;
      do {
        LockSupport.parkNanos(this, intervalNanos);
        wasActive = isActive();
        report();
      } while (wasActive);
    }
    report();
  }

  /** Waits until a task runs; false if this was closed. */
  private synchronized boolean awaitTask() {
    boolean interrupted = false;
    while (tasks == 0 && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true; // nobody but close() ends this thread
      }
    }
    if (interrupted) {
      LOG.debug("an interrupt of the load reporter was ignored");
    }
    return !closed;
  }

  private synchronized boolean isActive() {
    return tasks > 0 && !closed;
  }

  private void report() {
    if (last != null && last.hasCountsOf(table)) {
      return;
    }
    ExecutorLoad report = table.report(executorId, last == null ? 0 : last.sequence() + 1);
    try {
      sink.send(report);
      last = report;
    } catch (Exception e) {
      // The next report holds all that this one did but its spans; work does not depend on either.
      LOG.debug("cannot report load to the driver", e);
    }
  }

  /** Sends what has changed since the last report, and ends the thread; waits a second at most. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    LockSupport.unpark(thread);
    try {
      thread.join(TimeUnit.SECONDS.toMillis(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
