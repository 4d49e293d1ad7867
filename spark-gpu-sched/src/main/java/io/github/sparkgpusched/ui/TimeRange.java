package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.BlockSpan;
import io.github.sparkgpusched.load.LoadView;
import java.util.concurrent.TimeUnit;

/**
 * What part of time the timeline shows: what was asked for by its bounds ({@code timeline.from},
 * {@code timeline.until}), a stage ({@code timeline.stage}), or else the last seconds ({@code
 * timeline.seconds}). Immutable.
 *
 * @param fromMicros in microseconds since 1970
 * @param untilMicros likewise, and later
 */
record TimeRange(long fromMicros, long untilMicros) {
  /** A window that nobody asked for. */
  static final int DEFAULT_SECONDS = 60;

  /**
   * Bounds that are asked for are at most so far from what there is to be seen: anybody may ask.
   */
  private static final long MOST_BEYOND_MICROS = TimeUnit.DAYS.toMicros(1);

  TimeRange {
    untilMicros = Math.max(untilMicros, fromMicros + 1);
  }

  static TimeRange of(LoadView view, Query query) {
    TimeRange all = all(view);
    long from = query.number("timeline.from");
    long until = query.number("timeline.until");
    if (from > 0 && until > from) {
      return new TimeRange(all.near(from), all.near(until));
    }
    TimeRange ofStage = ofStage(view, query.get("timeline.stage", ""));
    if (ofStage != null) {
      return ofStage;
    }
    long window = query.number("timeline.seconds", DEFAULT_SECONDS) * 1_000_000L;
    return window == 0
        ? all
        : new TimeRange(Math.max(all.fromMicros, all.untilMicros - window), all.untilMicros);
  }

  /**
   * From the first block to now, or to the application's end. Not to the last block: a device that
   * does nothing now is to look like it. (Clocks of executors may be ahead of the driver's, by
   * which the view's time is.)
   */
  private static TimeRange all(LoadView view) {
    long until = view.timeMillis() * 1000;
    long from = until;
    for (LoadView.Span span : view.spans()) {
      from = Math.min(from, span.span().startMicros());
      until = Math.max(until, span.span().endMicros());
    }
    return new TimeRange(from, until);
  }

  private long near(long micros) {
    long earliest = fromMicros - MOST_BEYOND_MICROS;
    return Math.max(earliest, Math.min(untilMicros + MOST_BEYOND_MICROS, micros));
  }

  /** The time of a stage's blocks; null if there are none. */
  private static TimeRange ofStage(LoadView view, String stage) {
    long from = Long.MAX_VALUE;
    long until = Long.MIN_VALUE;
    if (stage.isEmpty()) {
      return null;
    }
    for (LoadView.Span each : view.spans()) {
      if (stage(each.span()).equals(stage)) {
        from = Math.min(from, each.span().startMicros());
        until = Math.max(until, each.span().endMicros());
      }
    }
    return until == Long.MIN_VALUE ? null : new TimeRange(from, until);
  }

  /** The stage attempt of a span, as it is chosen by. */
  static String stage(BlockSpan span) {
    return span.stageId() + "." + span.stageAttempt();
  }

  long lengthMicros() {
    return untilMicros - fromMicros;
  }

  /** The part of this that is so long, about the same middle. */
  TimeRange scaled(double times) {
    double length = Math.max(1000, lengthMicros() * times);
    double middle = (fromMicros + untilMicros) / 2.0;
    return new TimeRange((long) (middle - length / 2), (long) (middle + length / 2));
  }

  /** The same length, later by so many of it. */
  TimeRange moved(double lengths) {
    long by = (long) (lengthMicros() * lengths);
    return new TimeRange(fromMicros + by, untilMicros + by);
  }

  /** Where a time is, from 0 at the begin to 1 at the end, and never outside. */
  double part(long micros) {
    double part = (double) (micros - fromMicros) / lengthMicros();
    return Math.max(0, Math.min(1, part));
  }
}
