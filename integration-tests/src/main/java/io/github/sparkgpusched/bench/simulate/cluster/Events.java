package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.PriorityQueue;

/** Virtual time, and what is to happen in it; what was said first happens first. */
final class Events {
  private record Event(long nanos, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long order;

  /** Not 0: rules take 0 for never. */
  private long now = 1;

  long now() {
    return now;
  }

  void at(long nanos, Runnable what) {
    events.add(new Event(Math.max(now, nanos), order++, what));
  }

  void after(long nanos, Runnable what) {
    at(now + nanos, what);
  }

  /** Has the next thing happen; false if nothing is left to happen. */
  boolean step() {
    Event next = events.poll();
    if (next == null) {
      return false;
    }
    now = next.nanos();
    next.what().run();
    return true;
  }
}
