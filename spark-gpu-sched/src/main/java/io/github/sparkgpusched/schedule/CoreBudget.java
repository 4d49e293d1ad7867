package io.github.sparkgpusched.schedule;

/**
 * How many of the executor's cores are in use: the cores of running tasks, plus running helpers,
 * less threads that wait inside {@link Scheduler#run}. Lock-free.
 *
 * <p>Tasks and threads that end their waiting take cores unasked, and may push the number over the
 * limit; helpers only take one that is free, and give theirs back, after the block they are in,
 * while it is over. Each helper that gives back does so by compare-and-set, so no more leave than
 * must.
 */
final class CoreBudget {
  private final int cores;

  /**
   * Cores in use, in cell 0. Up: by any number when tasks start; by 1 when a waiting thread goes on
   * or, only from below {@code cores}, when a helper joins a job. Down: the same events undone.
   */
  private final PaddedLongs busy = new PaddedLongs(1);

  CoreBudget(int cores) {
    this.cores = cores;
  }

  /** True if a helper may take a core. */
  boolean isIdle() {
    return busy.get(0) < cores;
  }

  /** True if more cores are in use than there are. */
  boolean isOver() {
    return busy.get(0) > cores;
  }

  /** Takes cores, or with a negative number gives them back, whatever the limit. */
  void add(int count) {
    busy.addAndGet(0, count);
  }

  /** A helper takes a core if one is free. */
  boolean tryTake() {
    while (true) {
      long seen = busy.get(0);
      if (seen >= cores) {
        return false;
      }
      if (busy.compareAndSet(0, seen, seen + 1)) {
        return true;
      }
    }
  }

  /** A helper gives its core back if more are in use than there are. One read when they are not. */
  boolean tryYield() {
    while (true) {
      long seen = busy.get(0);
      if (seen <= cores) {
        return false;
      }
      if (busy.compareAndSet(0, seen, seen - 1)) {
        return true;
      }
    }
  }

  /** Cores in use now. */
  long busy() {
    return busy.get(0);
  }
}
