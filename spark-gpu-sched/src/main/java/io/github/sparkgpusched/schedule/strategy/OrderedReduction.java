package io.github.sparkgpusched.schedule.strategy;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Combines the results of blocks in the order of their rows, whoever computed them and whenever:
 * for operators that are associative and need not be commutative. Neighbours are combined as soon
 * as both are there, by the thread that brings the second, so what is kept are the results between
 * gaps. Thread-safe; the operator runs outside the lock, several at once. If the operator throws,
 * the results that it was to combine are lost, and so is the reduction.
 *
 * @param <R> a result, never null
 */
public final class OrderedReduction<R> {
  private record Part<R>(long from, long until, R result) {}

  private final BinaryOperator<R> operator;

  /** Parts by first row, no two of them adjacent. Guarded by itself. */
  private final TreeMap<Long, Part<R>> parts = new TreeMap<>();

  /** A reduction of nothing so far; the operator gets the result of the earlier rows first. */
  public OrderedReduction(BinaryOperator<R> operator) {
    this.operator = Objects.requireNonNull(operator, "operator");
  }

  /**
   * Adds the result of rows {@code [from, until)}, at least one, none of which was added before.
   *
   * @throws IllegalArgumentException if there are no rows, or some were added before, as far as
   *     that can be seen
   */
  public void add(long from, long until, R result) {
    if (from >= until) {
      throw new IllegalArgumentException("no rows: " + from + " to " + until);
    }
    Part<R> part = new Part<>(from, until, Objects.requireNonNull(result, "result"));
    while (true) {
      Part<R> before;
      Part<R> after;
      synchronized (parts) {
        before = takeBefore(part);
        after = parts.remove(part.until());
        if (before == null && after == null) {
          parts.put(part.from(), part);
          return;
        }
      }
      // A neighbour that somebody else is combining just now is not here, and will find this part.
      part = join(before, join(part, after));
    }
  }

  private Part<R> takeBefore(Part<R> part) {
    Map.Entry<Long, Part<R>> before = parts.lowerEntry(part.until());
    if (before == null || before.getValue().until() < part.from()) {
      return null;
    }
    if (before.getValue().until() > part.from()) {
      throw new IllegalArgumentException(
          "rows " + part.from() + " to " + part.until() + " were added before");
    }
    return parts.remove(before.getKey());
  }

  private Part<R> join(Part<R> left, Part<R> right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    R result = operator.apply(left.result(), right.result());
    return new Part<>(left.from(), right.until(), Objects.requireNonNull(result, "result"));
  }

  /**
   * The result of rows {@code [0, rows)}, once all were added and all {@code add} have returned.
   *
   * @return empty if there are no rows
   * @throws IllegalStateException if rows are missing
   */
  public Optional<R> result(long rows) {
    synchronized (parts) {
      if (rows == 0 && parts.isEmpty()) {
        return Optional.empty();
      }
      Part<R> all = parts.get(0L);
      if (all == null || all.until() != rows) {
        throw new IllegalStateException(
            "of " + rows + " rows, results are there in " + parts.size() + " pieces");
      }
      return Optional.of(all.result());
    }
  }

  /** Results kept, between gaps. */
  int pieces() {
    synchronized (parts) {
      return parts.size();
    }
  }
}
