package io.github.sparkgpusched.load;

import java.io.Serializable;

/**
 * Work for task attempts that failed or were killed. Immutable; merging is associative and
 * commutative.
 *
 * @param tasks such attempts that had rows computed
 * @param rows rows computed for them
 * @param busyNanos time spent on that, in nanoseconds
 */
public record Waste(long tasks, long rows, long busyNanos) implements Serializable {
  public static final Waste NONE = new Waste(0, 0, 0);

  /** A task's work, all of it. */
  static Waste of(Work work) {
    return new Waste(1, work.rows(), work.busyNanos());
  }

  /** Of each figure the greater. */
  Waste atLeast(Waste other) {
    return new Waste(
        Math.max(tasks, other.tasks),
        Math.max(rows, other.rows),
        Math.max(busyNanos, other.busyNanos));
  }

  /** Both together. */
  public Waste plus(Waste other) {
    return new Waste(tasks + other.tasks, rows + other.rows, busyNanos + other.busyNanos);
  }
}
