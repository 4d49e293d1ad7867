package io.github.sparkgpusched.sql.exec;

import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;

/**
 * A thread's stay at a task: a UDF sees the task that it works for, on whichever thread. Begun and
 * closed by that thread.
 */
final class TaskVisit {
  /**
   * A task that is visited. Immutable.
   *
   * @param context Spark's, which UDFs see
   * @param loader the class loader of the task's thread
   * @param thread the task's, which is at home and sees both anyway
   */
  record Home(TaskContext context, ClassLoader loader, Thread thread) {
    /** The home of the calling thread. */
    static Home here(TaskContext context) {
      Thread thread = Thread.currentThread();
      return new Home(context, thread.getContextClassLoader(), thread);
    }
  }

  private final Home home;
  private final boolean guest;
  private final ClassLoader loaderBefore;
  private final TaskContext contextBefore;

  TaskVisit(Home home) {
    Thread thread = Thread.currentThread();
    guest = thread != home.thread();
    loaderBefore = thread.getContextClassLoader();
    contextBefore = TaskContext.get();
    this.home = home;
    if (guest) {
      thread.setContextClassLoader(home.loader());
      TaskContext$.MODULE$.setTaskContext(home.context());
    }
    dropInterrupt();
  }

  /**
   * Forgets an interrupt of the task's thread by a function that it computed, as of one that has
   * caught such an exception: it is no word to whoever waits for other threads' rows. Spark's word
   * is in the task's context before it interrupts.
   */
  void dropInterrupt() {
    if (!guest && Thread.currentThread().isInterrupted() && !home.context().isInterrupted()) {
      Thread.interrupted();
    }
  }

  void close() {
    if (guest) {
      Thread.currentThread().setContextClassLoader(loaderBefore);
      if (contextBefore == null) {
        TaskContext$.MODULE$.unset();
      } else {
        TaskContext$.MODULE$.setTaskContext(contextBefore);
      }
    }
  }
}
