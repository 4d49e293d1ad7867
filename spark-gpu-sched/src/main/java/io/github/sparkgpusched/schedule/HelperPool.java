package io.github.sparkgpusched.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The helper threads. They are made when first needed and wait without a time-out. One at a time is
 * woken; it looks for work, and wakes the next if there is more than it takes on. Thread-safe.
 */
final class HelperPool {
  private static final Logger LOG = LoggerFactory.getLogger(HelperPool.class);

  /**
   * A helper looks for its next job for so long before it sleeps, and for no longer than that part
   * of its last work: a task's batches follow each other closely, and a thread that is woken may
   * find itself on its waker's processor for milliseconds, though another one is idle.
   */
  private static final long MOST_SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  /** One part in so many. */
  private static final int SPIN_PART = 4;

  private static final int MOST_SKIPPED = 1023;

  private final int limit;

  /** What a helper does each time it is woken. */
  private final Consumer<Helper> work;

  private final BooleanSupplier maySpin;

  private final Consumer<Thread> starter;

  /** 0 or 1 permits. Released by who sets {@code pending}; acquired by helpers. */
  private final Semaphore wakeups = new Semaphore(0);

  /**
   * True while a woken helper has not begun to look for work. False to true: by compare-and-set, by
   * whoever wakes. True to false: by the helper that got the permit, before it looks, so that what
   * becomes available while this is true is always seen; or by who wakes, if there is no helper and
   * none can be started.
   */
  private final AtomicBoolean pending = new AtomicBoolean();

  /**
   * Wakes that do nothing, as no first helper could be started: each failure has more of them than
   * the one before. By whoever has set {@code pending}, before it is false again.
   */
  private int wakesToSkip;

  private int nextToSkip;

  /** Helpers that wait for a permit. Up and down by helpers around their wait. */
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Grows by one at a time, under this object's lock, before that one starts; shrinks only, under
   * the same lock, if it cannot be started.
   */
  private volatile Helper[] helpers = {};

  /** False to true, once, in {@code close}, under this object's lock. */
  private volatile boolean closed;

  /**
   * @param limit helpers at most
   * @param work what a helper does each time it is woken
   * @param maySpin whether a processor is idle that a waiting helper may use to look for work
   */
  HelperPool(int limit, Consumer<Helper> work, BooleanSupplier maySpin) {
    this(limit, work, maySpin, Thread::start);
  }

  /** The same, with threads that may not start. */
  HelperPool(int limit, Consumer<Helper> work, BooleanSupplier maySpin, Consumer<Thread> starter) {
    this.starter = starter;
    this.limit = limit;
    this.work = work;
    this.maySpin = maySpin;
  }

  /** True if a helper has been woken that has not yet begun to look for work. */
  boolean isPending() {
    return pending.get();
  }

  /** Has one helper look for work; nothing if one is about to. */
  void wake() {
    if (limit > 0 && !closed && pending.compareAndSet(false, true)) {
      if (wakesToSkip > 0) {
        wakesToSkip--;
        pending.set(false);
        return;
      }
      wakeups.release();
      // A helper counted as waiting takes the permit: the last to get one was uncounted before
      // pending became false.
      if (waiting.get() == 0) {
        grow();
      }
    }
  }

  private synchronized void grow() {
    if (closed || helpers.length == limit) {
      return; // a helper takes the permit when it comes back from its job
    }
    Helper[] before = helpers;
    Helper[] grown = Arrays.copyOf(before, before.length + 1);
    Helper helper = new Helper("gpusched-host-" + before.length, this);
    grown[before.length] = helper;
    // Before it starts: it may be inside of a job at once, and is then to be interrupted with it.
    helpers = grown;
    try {
      starter.accept(helper.thread());
    } catch (OutOfMemoryError e) {
      // Tasks compute all their rows themselves if need be; they must not fail for want of help.
      helpers = before;
      if (before.length == 0) {
        // Nobody is there to take the permit: whoever wakes next tries again.
        wakeups.drainPermits();
        wakesToSkip = nextToSkip;
        nextToSkip = Math.min(2 * nextToSkip + 1, MOST_SKIPPED);
        pending.set(false);
        if (wakesToSkip > 0) {
          return; // it has been said
        }
      }
      LOG.warn("Cannot start helper thread {}; going on with {}", helper, before.length, e);
    }
  }

  /** The life of a helper's thread. */
  void serve(Helper helper) {
    long spinNanos = 0;
    while (!closed) {
      waiting.incrementAndGet();
      try {
        if (!spin(spinNanos)) {
          wakeups.acquire();
        }
      } catch (InterruptedException e) {
        continue; // either the pool was closed, or the interrupt was late for a job now left
      } finally {
        waiting.decrementAndGet();
      }
      pending.set(false);
      long begin = System.nanoTime();
      work.accept(helper);
      spinNanos = Math.min(MOST_SPIN_NANOS, (System.nanoTime() - begin) / SPIN_PART);
    }
  }

  /** Looks for a permit for so long, as long as a processor is idle; true if it got one. */
  private boolean spin(long nanos) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < nanos && maySpin.getAsBoolean() && !closed) {
      if (wakeups.tryAcquire()) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** Interrupts the helpers inside of a job, but not the calling thread. */
  void interrupt(Job job) {
    for (Helper helper : helpers) {
      helper.interrupt(job);
    }
  }

  /** Has the helpers end: each is interrupted in whatever job it is inside of. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    for (Helper helper : helpers) {
      helper.thread().interrupt();
    }
  }

  /** The helpers' threads so far. */
  List<Thread> threads() {
    return Arrays.stream(helpers).map(Helper::thread).toList();
  }
}
