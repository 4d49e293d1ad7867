package io.github.sparkgpusched.schedule;

import java.util.Locale;

/**
 * What the tasks of an executor have learned of one plan's calls, in nanoseconds a row, for the
 * next task to begin with. Safe for use by several threads: each value is written alone, by any
 * task, and a newer one may be lost to an older one.
 */
public final class CallPrices {
  /** Rows are unlike those of a batch that lost if they take so many times as long. */
  private static final double DEARER = 2;

  /** A row's calls, computed in place; 0 while unknown. */
  private volatile double inPlaceNanos;

  /** The rest of a row's way through the task, in place; negative while unknown. */
  private volatile double otherNanos = -1;

  /** What going through a batch adds to a row, beside its calls; 0 while unknown. */
  private volatile double copyNanos;

  /** A core's time for a row's calls in a batch, over that in place; 0 while unknown. */
  private volatile double coreShare;

  /** The wall time of a row's calls in a batch, over that in place; 0 while unknown. */
  private volatile double wallShare;

  private final LossPause pause = new LossPause(DEARER);
  private final LossPause farPause = new LossPause(Double.POSITIVE_INFINITY);

  double inPlaceNanos() {
    return inPlaceNanos;
  }

  double otherNanos() {
    return otherNanos;
  }

  double copyNanos() {
    return copyNanos;
  }

  double coreShare() {
    return coreShare;
  }

  double wallShare() {
    return wallShare;
  }

  /** How long batches that lost keep others from being tried. */
  LossPause pause() {
    return pause;
  }

  /**
   * The same where rows must travel to be shared. It holds whatever rows take: a few rows in place
   * are not enough to say that all are dearer now, and a try costs much.
   */
  LossPause farPause() {
    return farPause;
  }

  void learnInPlace(double inPlace, double other) {
    inPlaceNanos = inPlace;
    otherNanos = other;
  }

  void learnBatched(double copy, double core, double wall) {
    copyNanos = copy;
    coreShare = core;
    wallShare = wall;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "CallPrices[inPlaceNanos=%.1f, otherNanos=%.1f, copyNanos=%.1f, coreShare=%.2f, wallShare=%.2f]",
        inPlaceNanos,
        otherNanos,
        copyNanos,
        coreShare,
        wallShare);
  }
}
