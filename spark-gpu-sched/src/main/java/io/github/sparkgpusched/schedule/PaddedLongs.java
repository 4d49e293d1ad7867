package io.github.sparkgpusched.schedule;

import java.util.concurrent.atomic.AtomicLongArray;

/** Longs that several threads change, each on cache lines of its own. Lock-free. */
final class PaddedLongs {
  /** Longs from one cell to the next: 128 bytes, two cache lines, as the prefetcher takes. */
  private static final int STRIDE = 16;

  /** Every STRIDE-th is a cell. Its user says who may change it to what. */
  private final AtomicLongArray cells;

  PaddedLongs(int length) {
    this.cells = new AtomicLongArray((length + 2) * STRIDE);
  }

  long get(int index) {
    return cells.get(cell(index));
  }

  boolean compareAndSet(int index, long expected, long value) {
    return cells.compareAndSet(cell(index), expected, value);
  }

  long addAndGet(int index, long delta) {
    return cells.addAndGet(cell(index), delta);
  }

  private static int cell(int index) {
    return (index + 1) * STRIDE;
  }
}
