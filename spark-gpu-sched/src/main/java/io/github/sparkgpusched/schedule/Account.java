package io.github.sparkgpusched.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One task's account of device time: all that devices compute for its jobs, divided by its weight.
 * Who is lowest is served first ({@link FairQueue}), so tasks that always have work get device time
 * in proportion to their weights. A task makes one, and gives it to each of its jobs. Lock-free.
 */
public final class Account {
  private static final VarHandle VIRTUAL_NANOS;

  static {
    try {
      VIRTUAL_NANOS =
          MethodHandles.lookup().findVarHandle(Account.class, "virtualNanos", double.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final double weight;

  /**
   * Nanoseconds of device time by weight. Only grows: by an atomic addition once per block, by
   * whoever computed for the task; by compare-and-set in {@link #raiseTo}, when the task has work
   * again.
   */
  private volatile double virtualNanos;

  /**
   * An account on which nothing was charged.
   *
   * @param weight the task's part beside other tasks', above 0; 1 is usual
   */
  public Account(double weight) {
    if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a task's weight is above 0 and finite, not " + weight + ": see spark.gpusched.priority");
    }
    this.weight = weight;
  }

  /** Charges device time that was spent on the task. */
  void charge(long nanos) {
    VIRTUAL_NANOS.getAndAdd(this, nanos / weight);
  }

  double virtualNanos() {
    return virtualNanos;
  }

  /** A task that had no work has saved nothing up for the time when it has some. */
  void raiseTo(double least) {
    double seen = virtualNanos;
    while (seen < least && !VIRTUAL_NANOS.compareAndSet(this, seen, least)) {
      seen = virtualNanos;
    }
  }

  @Override
  public String toString() {
    return "Account[weight=" + weight + ", virtualNanos=" + virtualNanos() + "]";
  }
}
