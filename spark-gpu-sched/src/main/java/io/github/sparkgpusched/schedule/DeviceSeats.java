package io.github.sparkgpusched.schedule;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which device each working thread goes by. There are as many devices as cores, so a free one is
 * the rule; while a helper has not yet made room for a task that has just started, two threads
 * share one. Lock-free.
 */
final class DeviceSeats {
  /** Threads that go by a device. Up by 1 in {@code take}, down by 1 by the same thread. */
  private final AtomicIntegerArray users;

  DeviceSeats(int devices) {
    users = new AtomicIntegerArray(devices);
  }

  /** A device that nobody uses, the first such; if there is none, the one with fewest users. */
  int take() {
    int least = 0;
    for (int i = 0; i < users.length(); i++) {
      if (users.get(i) == 0 && users.compareAndSet(i, 0, 1)) {
        return i;
      }
      if (users.get(i) < users.get(least)) {
        least = i;
      }
    }
    users.incrementAndGet(least);
    return least;
  }

  void giveBack(int device) {
    users.decrementAndGet(device);
  }

  /** Threads that go by a device now. */
  int users(int device) {
    return users.get(device);
  }
}
