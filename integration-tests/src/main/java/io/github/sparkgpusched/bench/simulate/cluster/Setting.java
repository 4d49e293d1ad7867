package io.github.sparkgpusched.bench.simulate.cluster;

import io.github.sparkgpusched.schedule.Strategies;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;

/** What a cluster is like. Plain values; nobody changes them once a run has them. */
final class Setting {
  /** How Spark gives out partitions. */
  enum Placing {
    /** In their order, an executor after the other, beginning with any. */
    FIFO,
    /** The largest first, to whoever has least to do. */
    BY_LOAD
  }

  /** An executor that ends. */
  record Death(int executor, long nanos) {}

  int executors = 8;
  int cores = 8;

  /** Cores of others that an executor uses at most; 0: executors share nothing. */
  int borrowed = 128;

  /** Rows of a batch, as the plugin has them unless it is told otherwise. */
  int batchRows = 16_384;

  /** Of a task's first batch; each is twice as large as the one before. */
  int firstRows = 16;

  /** What a row takes a core, and how far rows differ, as a part of that. */
  double rowNanos = 50_000;

  double rowSpread = 0.5;

  /** Of a row's arguments, and of its results. */
  int rowBytes = 64;

  int resultBytes = 8;

  /** What a task's own thread does for a row besides, while no row of the task is computed. */
  double fillNanos = 10;

  long roundTripNanos = 1_000_000;

  /** Each message takes longer by at most this part of half a round trip. */
  double jitter = 0.2;

  /** Into an executor, and out of it. */
  double bytesPerSecond = 1.25e9;

  /** The part of the answers with rows that never come. */
  double lost;

  /** What a thread takes to wake up. */
  long wakeNanos = 50_000;

  /** What the driver takes for a message, besides the time it is on its way. */
  long driverNanos = 20_000;

  /** From a task's end to the beginning of the next one in its place. */
  long taskNanos = 3_000_000;

  /** About how long a core's block is to take. */
  long targetNanos = 100_000;

  /** Whether blocks in flight may be computed once more elsewhere. */
  boolean mayRunTwice;

  /** Whether tasks that run long are run a second time elsewhere. */
  boolean speculates;

  Placing placing = Placing.FIFO;
  final List<Death> deaths = new ArrayList<>();

  /** Executors that are at work on another stage at first, and how many of their cores. */
  double busyExecutors;

  int busyCores;
  long busyNanos;

  /** How rows are dealt. */
  Strategy strategy = Strategies.byName(Strategies.DEFAULT, Strategies.Options.DEFAULT);

  Rules rules = new Rules();
  long seed = 1;

  long mostLent() {
    return cores;
  }

  /** The bytes of a row there and back. */
  double bytesPerRow() {
    return rowBytes + (double) resultBytes;
  }
}
