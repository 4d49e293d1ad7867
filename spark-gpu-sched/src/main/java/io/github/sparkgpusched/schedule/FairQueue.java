package io.github.sparkgpusched.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What has work for devices, in the order in which it is to be served: weighted fair queuing by the
 * time already charged ({@link Account}), after start-time fair queuing (Goyal, Vin, Cheng, 1996).
 * Of two that always have work, neither gets ahead of its part by more than one block of either; so
 * nobody starves, whatever the weights. Thread-safe.
 *
 * <p>Several jobs may share an account. A job that comes begins at the charge of who was served
 * last, or at the least among those present that have work, or, where nobody is, at that of who
 * left last: were it to begin at 0, it would be served alone until it had caught up with tasks that
 * have run for an hour.
 */
final class FairQueue<T> {
  private final Function<T, Account> accounts;

  /** Added to and removed from by submitters, read by all. */
  private final CopyOnWriteArrayList<T> present = new CopyOnWriteArrayList<>();

  /** What a newcomer is charged at least. Only grows. */
  @GuardedBy("this")
  private double floor;

  /** False of what is present still, and has nothing to be served. */
  private final Predicate<T> hasWork;

  FairQueue(Function<T, Account> accounts, Predicate<T> hasWork) {
    this.accounts = accounts;
    this.hasWork = hasWork;
  }

  synchronized void add(T item) {
    double least = Double.POSITIVE_INFINITY;
    for (T other : present) {
      // Who has nothing to do would save up time until it has, and newcomers with it.
      least = hasWork.test(other) ? Math.min(least, charged(other)) : least;
    }
    if (least < Double.POSITIVE_INFINITY) {
      raiseFloor(least);
    }
    accounts.apply(item).raiseTo(floor);
    present.add(item);
  }

  synchronized void remove(T item) {
    present.remove(item);
    // What comes next would else begin where the last of these did, however long ago that was.
    if (present.isEmpty()) {
      raiseFloor(charged(item));
    }
  }

  /** This one is served now, as the first in order that has work. */
  void served(T item) {
    raiseFloor(charged(item));
  }

  private synchronized void raiseFloor(double least) {
    floor = Math.max(floor, least);
  }

  /** Those present, in no order. Changes of the queue are not seen by a loop over it. */
  Iterable<T> all() {
    return present;
  }

  /** Those present, who is to be served first at the front; a copy. */
  List<T> inOrder() {
    record Charged<T>(T item, double nanos) {}
    List<Charged<T>> charged = new ArrayList<>();
    for (T item : present) {
      charged.add(new Charged<>(item, charged(item))); // read once: it moves while we sort
    }
    charged.sort(Comparator.comparingDouble(Charged::nanos));
    List<T> items = new ArrayList<>(charged.size());
    for (Charged<T> next : charged) {
      items.add(next.item());
    }
    return items;
  }

  double charged(T item) {
    return accounts.apply(item).virtualNanos();
  }
}
