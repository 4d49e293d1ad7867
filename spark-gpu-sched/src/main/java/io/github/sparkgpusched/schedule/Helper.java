package io.github.sparkgpusched.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** One helper thread, and which job it may be interrupted for. */
final class Helper {
  private final Thread thread;

  /**
   * The job that the helper is inside of, or null. Changed by the helper's own thread: null to a
   * job as it enters, back to null as it leaves.
   */
  @GuardedBy("this")
  private Job job;

  Helper(String name, HelperPool pool) {
    // No inheritable thread-locals: the first task to need help must not lend its own to all
    // others.
    thread = new Thread(null, () -> pool.serve(this), name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(Helper.class.getClassLoader());
  }

  Thread thread() {
    return thread;
  }

  synchronized void enter(Job entered) {
    job = entered;
  }

  /**
   * Called by the helper's thread. From here on no interrupt is due to the job, nor left behind.
   */
  void exit() {
    synchronized (this) {
      job = null;
    }
    // Clears the flag: an interrupt that was meant for the job left must not end the next one.
    Thread.interrupted();
    thread.setContextClassLoader(Helper.class.getClassLoader());
  }

  /** Interrupts the helper if it is inside of this job; holds it there until that is done. */
  synchronized void interrupt(Job target) {
    if (job == target && thread != Thread.currentThread()) {
      thread.interrupt();
    }
  }
}
