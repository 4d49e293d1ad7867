package io.github.sparkgpusched.device.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** A lane's thread, and which block it may be interrupted for: a function may wait at a row. */
final class GuestThread {
  /** Null while the thread is inside of no block. It sets both as it enters. */
  @GuardedBy("this")
  private Thread thread;

  @GuardedBy("this")
  private long block;

  /**
   * The lane's thread. Whether the block is wanted is to be looked at behind this: who found out
   * before that it is not has interrupted nobody.
   */
  synchronized void enter(long entered) {
    thread = Thread.currentThread();
    block = entered;
  }

  /** The lane's thread. From here on no interrupt is due to the block, nor left behind. */
  void exit() {
    synchronized (this) {
      thread = null;
    }
    Thread.interrupted(); // clears the flag
  }

  /** Nobody wants the rows of a block. */
  synchronized void interrupt(long unwanted) {
    if (block == unwanted) {
      interrupt();
    }
  }

  /** Nobody wants the rows of any. */
  synchronized void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
