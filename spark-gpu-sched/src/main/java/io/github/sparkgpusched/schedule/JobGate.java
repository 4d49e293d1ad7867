package io.github.sparkgpusched.schedule;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Who is inside one job besides its submitter, and may thus touch its memory. A helper is inside
 * from a successful {@link #join} to its {@link #leave}, and every row that it has claimed is
 * computed when it leaves. The owner of a launch device is inside, from {@link #enter} on, only
 * while it copies rows out of the job's memory or results into it; in between, its blocks are in
 * flight.
 */
final class JobGate {
  /** Set while no helper may join. The sign bit, so that it can be flipped by an addition. */
  private static final int CLOSED = Integer.MIN_VALUE;

  /** Set for good when the job is over. */
  private static final int ENDED = 1 << 30;

  /** Written before the gate is first closed, which publishes it: nobody wakes it before. */
  private Thread submitter;

  /**
   * Number of threads inside, plus CLOSED while the gate is, plus ENDED once the job is over. A
   * helper: n to n + 1 while open; an owner: n to n + 1 while not ended; both: n to n - 1 always.
   * The submitter: open to closed when it has found nothing to claim, closed to open when there is
   * something again, closed and empty to ended when the job is over.
   */
  private final AtomicInteger state = new AtomicInteger();

  /** The calling thread is the submitter from now on. Before the gate is first closed. */
  void submit() {
    submitter = Thread.currentThread();
  }

  /** Lets the calling helper in, unless the gate is closed. */
  boolean join() {
    return enter(CLOSED | ENDED);
  }

  /** Lets the owner of a launch device in, unless the job is over. */
  boolean enter() {
    return enter(ENDED);
  }

  private boolean enter(int forbidden) {
    while (true) {
      int seen = state.get();
      if ((seen & forbidden) != 0) {
        return false;
      }
      if (state.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
  }

  /** The calling thread is done with the job and touches nothing of it any more. */
  void leave() {
    if (state.decrementAndGet() == CLOSED) {
      LockSupport.unpark(submitter);
    }
  }

  /**
   * Lets no more helpers in. Only the submitter may call this, on an open gate.
   *
   * @return true if nobody is inside
   */
  boolean close() {
    return state.addAndGet(CLOSED) == CLOSED;
  }

  /**
   * Waits on a closed gate until somebody leaves it empty, {@link #wakeSubmitter} is called, the
   * time is over, the thread is interrupted, or for no reason. Only the submitter may call this.
   * Leaves the interrupt flag as it is.
   */
  void await(long nanos) {
    LockSupport.parkNanos(this, nanos);
  }

  /** Lets helpers in again. Only the submitter may call this, on a closed gate. */
  void reopen() {
    // Twice closed is open: the sign bit flips back, and the number of those inside stays.
    state.addAndGet(CLOSED);
  }

  /**
   * Lets nobody in any more, if nobody is inside. Only the submitter may call this, on a closed
   * gate.
   *
   * @return true if nobody is, or ever will be, inside
   */
  boolean end() {
    return state.compareAndSet(CLOSED, CLOSED | ENDED);
  }

  /** Ends the submitter's wait, if it waits: there are rows again, or none will come. */
  void wakeSubmitter() {
    if (isClosed()) {
      LockSupport.unpark(submitter);
    }
  }

  boolean isClosed() {
    return state.get() < 0;
  }

  /** True if the job is over. */
  boolean isEnded() {
    return (state.get() & ENDED) != 0;
  }

  /** Number of threads inside. */
  int inside() {
    return state.get() & (ENDED - 1);
  }
}
