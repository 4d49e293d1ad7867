package io.github.sparkgpusched.bench.simulate.cluster;

/**
 * What {@code RemoteDevice}, {@code Lane}, {@code OwnerWait} and others have as constants, so that
 * a run may have others. Plain values; nobody changes them once a run has them.
 */
final class Rules {
  /** What a borrowed core says of its launches, while nobody lends it. */
  long launchNanos = 500_000;

  /** A block's journey takes so many times what the question for the core took. */
  double launchOverQuestion = 1.25;

  double nanosPerByte = 0.8;
  int depth = 2;

  /** For each so many borrowed cores, a batch may have as many rows once more. */
  int othersPerShare = 8;

  int mostShares = 8;

  /** A shorter job is not for cores of others. */
  double leastJobNanos = 5e6;

  /** Cores are looked for while jobs take this. */
  double leastSearchNanos = 20e6;

  /** A thread gives the rest of a block back that takes so many blocks' time. */
  int handBackBlocks = 16;

  /** A core without use goes back. */
  long idleNanos = 500_000_000;

  /** Without use for so long it goes back if no job has wanted cores for a while, either. */
  long idleQuietNanos = 50_000_000;

  /** Of a lender that says nothing. */
  long patienceNanos = 20_000_000_000L;

  long takeNanos = 2_000_000_000L;
  long shunNanos = 30_000_000_000L;

  /** An owner with a block in flight sleeps so long, unless it is woken. */
  long ownerIdleNanos = 10_000_000;

  long ownerPollNanos = 20_000;

  /** A lane without blocks ends. */
  long laneQuietNanos = 5_000_000_000L;

  int laneWaiting = 4;
}
