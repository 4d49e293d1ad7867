package io.github.sparkgpusched.ui;

import java.util.ArrayList;
import java.util.List;

/** Where a time axis has marks, and what they say: whole steps as clocks have them. */
final class Ticks {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** As many marks as fit at most. */
  private static final int MOST = 10;

  /** Steps of a second and more, in microseconds; below, they are 1, 2 and 5 of a power of ten. */
  private static final long[] STEPS = {
    SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND,
    MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
    HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY
  };

  private Ticks() {}

  /** The marks of an axis of such a length, in microseconds from its begin; the first is 0. */
  static List<Long> of(long lengthMicros) {
    long step = step(lengthMicros);
    List<Long> marks = new ArrayList<>();
    // Counted, as the mark after the last may be past the largest long.
    long last = lengthMicros / step;
    for (long i = 0; i <= last; i++) {
      marks.add(i * step);
    }
    return marks;
  }

  private static long step(long length) {
    for (long power = 1; power < SECOND; power *= 10) {
      for (int times : new int[] {1, 2, 5}) {
        if (length / (times * power) < MOST) {
          return times * power;
        }
      }
    }
    for (long step : STEPS) {
      if (length / step < MOST) {
        return step;
      }
    }
    long step = DAY;
    while (length / step >= MOST) {
      step *= 2;
    }
    return step;
  }

  /** A time since the axis' begin in short: {@code 250 ms}, {@code 1 min 30 s}, {@code 2 h}. */
  static String text(long micros) {
    if (micros < MINUTE) {
      return Format.round(micros * 1000);
    }
    StringBuilder text = new StringBuilder();
    add(text, micros / DAY, "d");
    add(text, micros % DAY / HOUR, "h");
    add(text, micros % HOUR / MINUTE, "min");
    add(text, micros % MINUTE / SECOND, "s");
    return text.toString();
  }

  private static void add(StringBuilder text, long amount, String unit) {
    if (amount > 0) {
      text.append(text.isEmpty() ? "" : " ").append(amount).append(' ').append(unit);
    }
  }
}
