package io.github.sparkgpusched.schedule;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Which worker indexes of one job are taken. The submitter's is, for good. Lock-free. */
final class WorkerSlots {
  /** The submitter's worker index. */
  static final int SUBMITTER = 0;

  /**
   * 1 while a slot is taken. 0 to 1: by compare-and-set, by the participant that enters; 1 to 0: by
   * that participant as it leaves.
   */
  private final AtomicIntegerArray taken;

  WorkerSlots(int slots) {
    taken = new AtomicIntegerArray(slots);
    taken.set(SUBMITTER, 1);
  }

  /** Takes a free slot; -1 if there is none. */
  int enter() {
    for (int i = 0; i < taken.length(); i++) {
      if (taken.get(i) == 0 && taken.compareAndSet(i, 0, 1)) {
        return i;
      }
    }
    return -1;
  }

  void leave(int slot) {
    taken.set(slot, 0);
  }
}
