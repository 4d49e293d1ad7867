package io.github.sparkgpusched.load;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Rows a second, of the last ten seconds, by looks at a count once a second. Not thread-safe. */
final class RowRate {
  private static final int MOST = 10;
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private record Look(long nanos, long rows) {}

  private final Deque<Look> looks = new ArrayDeque<>();

  void look(long nowNanos, long rows) {
    looks.addLast(new Look(nowNanos, rows));
    if (looks.size() > MOST) {
      looks.removeFirst();
    }
  }

  /** Null if nobody has looked for long enough. */
  Long perSecond(long nowNanos, long rows) {
    Look first = looks.peekFirst();
    if (first == null || nowNanos - first.nanos() < LEAST_NANOS) {
      return null;
    }
    return Math.round(Math.max(0, rows - first.rows()) * 1e9 / (nowNanos - first.nanos()));
  }
}
