package io.github.sparkgpusched.schedule.strategy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one task has learned about its function, kept from job to job: how much cost makes a block
 * of the right length, how long a unit of cost takes, how well one job tells what the next one
 * takes, and what devices take for a block of few rows. Make one for each task and function, and
 * give it to each of their jobs. Safe for use by several threads; they lose at most a newer
 * estimate to an older one.
 */
public final class Pace {
  /** Cost of a block; 0 while unknown. Written by workers as they leave a job. */
  private volatile double step;

  /** Nanoseconds that a unit of cost takes; 0 while unknown. Written as {@code step} is. */
  private volatile double nanosPerCost;

  /**
   * How far jobs and their blocks were off what was expected of them, as a relative error; 1 while
   * unknown. Written by whoever commits a job's last row.
   */
  private volatile double error = 1;

  /**
   * Nanoseconds that a call takes however few its rows; 0 while unknown. Written as {@code step}
   * is.
   */
  private volatile double callNanos;

  /** Weight of the newest block of few rows beside those before it. */
  private static final double NEWEST = 1.0 / 8;

  /** What a block of few rows takes, in nanoseconds, by device. */
  private final Map<Object, Double> latencies = new ConcurrentHashMap<>();

  /** A pace that knows nothing. */
  public Pace() {}

  /**
   * A pace that is known beforehand.
   *
   * @param step cost of a block of about the target time; 0 if unknown
   * @param nanosPerCost nanoseconds that a unit of cost takes; 0 if unknown
   */
  public Pace(double step, double nanosPerCost) {
    this.step = step;
    this.nanosPerCost = nanosPerCost;
  }

  /** Cost of a block of about the target time; 0 while unknown. */
  public double step() {
    return step;
  }

  /** Nanoseconds that a unit of cost takes; 0 while unknown. */
  public double nanosPerCost() {
    return nanosPerCost;
  }

  /** True if it is known how long a unit of cost takes. */
  public boolean isKnown() {
    return nanosPerCost > 0;
  }

  /** How far the costs of the next job may be off, as a relative error; 1 while unknown. */
  public double error() {
    return error;
  }

  /**
   * A job is over. One that went as expected is not proof enough: the error is at least half of
   * what it was.
   *
   * @param meanNanosPerCost what a unit of its cost took
   * @param blockError how far its blocks were off what was expected of them, as a relative error
   */
  public void learnJob(double meanNanosPerCost, double blockError) {
    if (!RangeCosts.saysSomething(meanNanosPerCost)) {
      return; // of rows that cost nothing, and took some time
    }
    double off = isKnown() ? Math.abs(Math.log(meanNanosPerCost / nanosPerCost)) : 1;
    error = Math.min(1, Math.max(error / 2, Math.max(off, blockError)));
    nanosPerCost = meanNanosPerCost;
  }

  /** What a block of few rows takes a device to compute, in nanoseconds; 0 while unknown. */
  public long latencyNanos(Object device) {
    return Math.round(latencies.getOrDefault(device, 0.0));
  }

  /**
   * A block of fewer rows than the device computes at once took so long. A first one may be cold,
   * or have met others: what takes less is believed at once.
   */
  public void learnLatency(Object device, long nanos) {
    latencies.merge(
        device,
        (double) nanos,
        (before, now) -> now < before ? now : before + NEWEST * (now - before));
  }

  /** Replaces what is known, unless that is a time which is 0, infinite or none. */
  public void learn(double newStep, double newNanosPerCost) {
    if (RangeCosts.saysSomething(newNanosPerCost)) {
      step = newStep;
      nanosPerCost = newNanosPerCost;
    }
  }

  /** What a call takes however few rows it is for, in nanoseconds; 0 while unknown. */
  public double callNanos() {
    return callNanos;
  }

  /** Replaces what is known of calls. */
  public void learnCall(double nanos) {
    callNanos = nanos;
  }

  @Override
  public String toString() {
    return "Pace[step=" + step + ", nanosPerCost=" + nanosPerCost + ", error=" + error + "]";
  }
}
