package io.github.sparkgpusched.advise.replay;

import java.util.Arrays;

/**
 * How many cores work at each time: core-seconds in intervals of equal length, which become longer
 * as time goes on, so that their number is bounded. Not thread-safe.
 */
public final class BusyCurve {
  private static final int MOST = 240;

  private final double[] coreSeconds = new double[MOST];
  private double step = 0.01;
  private double now;
  private double cores;

  /** From a time on, which never goes back, so many cores work. */
  void set(double time, double newCores) {
    while (time > step * MOST) {
      widen();
    }
    while (now < time) {
      int i = (int) (now / step);
      if ((i + 1) * step <= now) {
        i++; // the quotient was rounded down at a border
      }
      i = Math.min(MOST - 1, i);
      double until = i == MOST - 1 ? time : Math.min(time, (i + 1) * step);
      coreSeconds[i] += cores * (until - now);
      now = until;
    }
    cores = newCores;
  }

  private void widen() {
    for (int i = 0; i < MOST / 2; i++) {
      coreSeconds[i] = coreSeconds[2 * i] + coreSeconds[2 * i + 1];
    }
    Arrays.fill(coreSeconds, MOST / 2, MOST, 0);
    step *= 2;
  }

  /** Mean cores at work in intervals, of which so many make a length. */
  public double[] mean(double lengthSeconds, int intervals) {
    double[] mean = new double[intervals];
    double width = lengthSeconds / intervals;
    for (int i = 0; width > 0 && i < intervals; i++) {
      mean[i] = (upTo((i + 1) * width) - upTo(i * width)) / width;
    }
    return mean;
  }

  private double upTo(double time) {
    double sum = 0;
    for (int i = 0; i < MOST && i * step < time; i++) {
      sum += coreSeconds[i] * Math.min(1, time / step - i);
    }
    return sum;
  }
}
