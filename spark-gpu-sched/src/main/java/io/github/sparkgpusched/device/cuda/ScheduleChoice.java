package io.github.sparkgpusched.device.cuda;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;

/**
 * Which of some schedules a function's launches have on a device, by what they took: {@code
 * spark.gpusched.cuda.block.strategy=auto}. Each is tried {@value #TRIALS} times, in turns, or once
 * if that took {@value #HOPELESS} times as long as another; then the one that took least for a row
 * is taken, and one launch in {@value #REVIEW} tries another, so that a function whose rows become
 * others is followed. Launches of few rows are neither trials nor measured. Knows no clock: it is
 * told what launches took. Thread-safe.
 *
 * <p>A schedule that took much longer than the best is tried the less often the more it lost: what
 * reviews cost stays below a few percent of what all launches take.
 */
public final class ScheduleChoice {
  /** Launches of each schedule before one is chosen. */
  public static final int TRIALS = 2;

  /** One launch of so many is for another schedule than the chosen one. */
  static final int REVIEW = 32;

  /** Rows of a launch that says anything: fewer do not keep a GPU's warps busy. */
  public static final long LEAST_ROWS = 4096;

  /** A schedule that takes so many times as long as another is not tried again at once. */
  static final int HOPELESS = 2;

  /** A schedule must be better than the chosen one by this part to take its place. */
  private static final double MARGIN = 0.02;

  /** The weight of what is measured now against all before. */
  private static final double WEIGHT = 0.5;

  /** A way to share rows: names of {@link BlockSettings#STRATEGIES} and of its forms. */
  public record Schedule(String strategy, String form) {
    @Override
    public String toString() {
      return strategy + ", by " + form;
    }
  }

  private static final class Tried {
    final Schedule schedule;
    int begun;
    int ended;
    double nanosPerRow;

    /** Launches until it is tried again. */
    long restsUntil;

    Tried(Schedule schedule) {
      this.schedule = schedule;
    }
  }

  @GuardedBy("this")
  private final List<Tried> all = new ArrayList<>();

  @GuardedBy("this")
  private Tried chosen;

  @GuardedBy("this")
  private long launches;

  /**
   * Nothing tried yet.
   *
   * @param schedules the first is taken until all have been tried
   */
  public ScheduleChoice(List<Schedule> schedules) {
    schedules.forEach(schedule -> all.add(new Tried(schedule)));
    chosen = all.get(0);
  }

  /** That of the next launch, of so many rows. */
  public synchronized Schedule next(long rows) {
    if (rows < LEAST_ROWS) {
      return chosen.schedule;
    }
    launches++;
    Tried next = chosen;
    for (Tried one : all) {
      if (one.begun < TRIALS && one.begun <= next.begun && !isHopeless(one)) {
        next = one.begun < next.begun || next.begun >= TRIALS ? one : next;
      }
    }
    if (next == chosen && chosen.begun >= TRIALS && launches % REVIEW == 0) {
      for (Tried one : all) {
        if (one != chosen && one.restsUntil <= launches) {
          next = next == chosen || one.restsUntil < next.restsUntil ? one : next;
        }
      }
    }
    next.begun++;
    return next.schedule;
  }

  /**
   * Whether what the launch takes that got a schedule of {@link #next} is to be measured: of the
   * chosen one, one in {@value #REVIEW}, for each event is a call into the driver.
   */
  public synchronized boolean isTimed(Schedule schedule, long rows) {
    return rows >= LEAST_ROWS
        && (launches % REVIEW == REVIEW / 2 || !isSettled() || !schedule.equals(chosen.schedule));
  }

  /**
   * What a launch took.
   *
   * @param schedule what {@link #next} said for it; another says nothing, as of a UDF with the same
   *     kernel that has a strategy of its own
   * @param rows of the launch
   * @param nanos from the kernel's begin to its end
   * @return what has been chosen in the place of another, or null
   */
  public synchronized Schedule took(Schedule schedule, long rows, long nanos) {
    Tried tried = of(schedule);
    if (tried == null || rows < LEAST_ROWS || nanos <= 0) {
      return null;
    }
    double each = (double) nanos / rows;
    // The first launch of a kernel loads it.
    boolean first = tried.ended <= 1 && (tried.ended == 0 || each < tried.nanosPerRow);
    tried.nanosPerRow = first ? each : tried.nanosPerRow * (1 - WEIGHT) + each * WEIGHT;
    tried.ended++;
    // Where the chosen one has not ended once, nobody knows what the other loses.
    if (tried != chosen && chosen.ended > 0) {
      // What it loses is lost once in as many launches as keep that within a hundredth.
      double loss = tried.nanosPerRow / Math.max(chosen.nanosPerRow, 1e-9) - 1;
      tried.restsUntil = launches + (long) Math.min(1e6, Math.max(REVIEW, 100 * loss));
    }
    if (!isSettled()) {
      return null;
    }
    Tried best = chosen;
    for (Tried one : all) {
      if (one.nanosPerRow < best.nanosPerRow * (one == chosen ? 1 : 1 - MARGIN)) {
        best = one;
      }
    }
    boolean changes = best != chosen;
    chosen = best;
    return changes ? best.schedule : null;
  }

  /** What is taken now. */
  public synchronized Schedule chosen() {
    return chosen.schedule;
  }

  @GuardedBy("this")
  private boolean isSettled() {
    for (Tried one : all) {
      if (one.ended < TRIALS && !isHopeless(one)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the one trial of a schedule says enough. The first of all may have loaded the kernel:
   * its schedule is the chosen one until all have been tried, and so is tried again.
   */
  @GuardedBy("this")
  private boolean isHopeless(Tried tried) {
    return tried.ended > 0
        && all.stream()
            .anyMatch(one -> one.ended > 0 && one.nanosPerRow * HOPELESS <= tried.nanosPerRow);
  }

  @GuardedBy("this")
  private Tried of(Schedule schedule) {
    return all.stream().filter(one -> one.schedule.equals(schedule)).findFirst().orElse(null);
  }
}
