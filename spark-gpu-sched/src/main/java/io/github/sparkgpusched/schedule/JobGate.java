package io.github.sparkgpusched.schedule;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Who is inside one job besides its submitter. A helper is inside from a successful {@link #join}
 * to its {@link #leave}, and every row that it has claimed is computed when it leaves; so once the
 * gate is closed and empty, claimed means done.
 */
final class JobGate {
  private static final int CLOSED = Integer.MIN_VALUE;

  private final Thread submitter;

  /**
   * Number of helpers inside, plus CLOSED while the gate is. A helper: n to n + 1 while open, n to
   * n - 1 always. The submitter: open to closed when it has found nothing to claim, and closed to
   * open when there is something again.
   */
  private final AtomicInteger state = new AtomicInteger();

  /** A gate that is open and empty. */
  JobGate(Thread submitter) {
    this.submitter = submitter;
  }

  /** Lets the calling helper in, unless the gate is closed. */
  boolean join() {
    while (true) {
      int seen = state.get();
      if (seen < 0) {
        return false;
      }
      if (state.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
  }

  /** The calling helper is done with the job and touches nothing of it any more. */
  void leave() {
    if (state.decrementAndGet() == CLOSED) {
      LockSupport.unpark(submitter);
    }
  }

  /**
   * Lets no more helpers in. Only the submitter may call this, on an open gate.
   *
   * @return true if no helper is inside
   */
  boolean close() {
    return state.addAndGet(CLOSED) == CLOSED;
  }

  /**
   * Waits on a closed gate until no helper is inside, the time is over, the thread is interrupted,
   * or for no reason. Only the submitter may call this. Leaves the interrupt flag as it is.
   *
   * @return true if no helper is inside
   */
  boolean awaitEmpty(long nanos) {
    if (state.get() != CLOSED) {
      LockSupport.parkNanos(this, nanos);
    }
    return state.get() == CLOSED;
  }

  /** Lets helpers in again. Only the submitter may call this, on a closed gate. */
  void reopen() {
    // Twice closed is open: the sign bit flips back, and the number of helpers stays.
    state.addAndGet(CLOSED);
  }

  /** Ends the submitter's wait, if it waits: there are rows again. */
  void wakeSubmitter() {
    if (isClosed()) {
      LockSupport.unpark(submitter);
    }
  }

  /** True if the gate is closed and no helper is inside. */
  boolean isLeft() {
    return state.get() == CLOSED;
  }

  boolean isClosed() {
    return state.get() < 0;
  }

  /** Number of helpers inside. */
  int helpers() {
    return state.get() & Integer.MAX_VALUE;
  }
}
