package io.github.sparkgpusched.bench.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The calling thread and some helpers, who sleep between jobs. One job at a time, from one thread.
 */
final class Team implements AutoCloseable {
  /** What each worker does in a job. */
  interface Part {
    long run(int worker);
  }

  /** Longs between two workers' results, to keep them on cache lines of their own. */
  private static final int APART = 16;

  private final List<Thread> helpers = new ArrayList<>();

  /** Written by each helper at its place, before it counts {@link #running} down. */
  private final long[] results;

  private final AtomicInteger running = new AtomicInteger();

  /** Written by the caller before {@link #job}. Null ends the helpers. */
  private Part part;

  /** What a helper failed with. Written by helpers before they count down. */
  private volatile Throwable failure;

  /** Jobs so far; its write publishes the part. */
  private volatile int job;

  Team(int workers) {
    results = new long[workers * APART];
    for (int worker = 1; worker < workers; worker++) {
      int index = worker;
      Thread helper = new Thread(() -> help(index), "bench-" + worker);
      helper.setDaemon(true);
      helpers.add(helper);
      helper.start();
    }
  }

  int workers() {
    return helpers.size() + 1;
  }

  /** Runs a part on each worker, the first of them the caller; the sum of what they return. */
  long run(Part newPart) {
    begin(newPart);
    long sum = newPart.run(0);
    while (running.get() > 0) {
      Thread.onSpinWait();
    }
    if (failure != null) {
      throw new IllegalStateException("a helper failed", failure);
    }
    for (int worker = 1; worker < workers(); worker++) {
      sum += results[worker * APART];
    }
    return sum;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only the caller writes it
  private void begin(Part newPart) {
    part = newPart;
    running.set(helpers.size());
    job++;
    helpers.forEach(LockSupport::unpark);
  }

  private void help(int worker) {
    int seen = 0;
    while (true) {
      while (job == seen) {
        LockSupport.park(this);
      }
      seen = job;
      Part mine = part;
      if (mine == null) {
        return;
      }
      try {
        results[worker * APART] = mine.run(worker);
      } catch (Throwable e) {
        failure = e;
      }
      running.decrementAndGet();
    }
  }

  @Override
  public void close() {
    begin(null);
  }
}
