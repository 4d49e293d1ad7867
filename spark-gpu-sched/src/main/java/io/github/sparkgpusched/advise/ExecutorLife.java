package io.github.sparkgpusched.advise;

/** When an executor was there, and with how many cores. */
final class ExecutorLife {
  final int cores;
  final long added;
  long removed = Long.MAX_VALUE;

  ExecutorLife(int cores, long added) {
    this.cores = cores;
    this.added = added;
  }
}
