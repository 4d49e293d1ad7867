package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.advise.plan.Segment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A SQL query that runs: its plan as it is now, and what has been found so far. */
final class Execution {
  final long id;
  final String description;
  final long started;
  long ended;

  /** Its stages that have been submitted, and are in no prediction yet. */
  int pending;

  private final Map<Long, Segment> segments = new HashMap<>();

  /** What sharing would save, within executors and with all. */
  Range savedWithin = Range.ZERO;

  Range saved = Range.ZERO;
  boolean hasCalls;
  boolean needsRewrite;

  Execution(long id, String description, long started) {
    this.id = id;
    this.description = description;
    this.started = started;
  }

  /** The plan is this now; stages that run already have metrics of the one before. */
  void plan(List<Segment> plan) {
    for (Segment segment : plan) {
      segment.accumulators().forEach(accumulator -> segments.put(accumulator, segment));
    }
  }

  /** The segment that has the accumulator of a metric; null if none has. */
  Segment segment(long accumulator) {
    return segments.get(accumulator);
  }

  double seconds() {
    return Math.max(0, ended - started) / 1e3;
  }
}
