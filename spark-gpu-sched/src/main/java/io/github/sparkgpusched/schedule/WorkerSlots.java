package io.github.sparkgpusched.schedule;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Which worker indexes of one job are taken by helpers. Lock-free. */
final class WorkerSlots {
  private final int first;

  /**
   * 1 while a slot is taken. 0 to 1: by compare-and-set, by the helper that enters; 1 to 0: by that
   * helper as it leaves.
   */
  private final AtomicIntegerArray taken;

  /**
   * Free slots.
   *
   * @param first the first worker index that is a helper's
   * @param count how many are
   */
  WorkerSlots(int first, int count) {
    this.first = first;
    this.taken = new AtomicIntegerArray(count);
  }

  /** Takes a free slot; -1 if there is none. */
  int enter() {
    for (int i = 0; i < taken.length(); i++) {
      if (taken.get(i) == 0 && taken.compareAndSet(i, 0, 1)) {
        return first + i;
      }
    }
    return -1;
  }

  void leave(int slot) {
    taken.set(slot - first, 0);
  }
}
