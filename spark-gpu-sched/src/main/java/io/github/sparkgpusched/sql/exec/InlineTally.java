package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.schedule.CoreSeat;
import io.github.sparkgpusched.schedule.Scheduler;
import java.util.concurrent.TimeUnit;

/**
 * Counts the rows that a task computes in place, for the core that its thread goes by meanwhile.
 * The time of their calls is what the rows that were timed took on average: the rest of a row's way
 * through the task is no work of a device. Task thread only.
 */
final class InlineTally {
  private static final long COUNT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final TaskLedger ledger;
  private final Scheduler scheduler;

  /** Null while no rows are computed in place. */
  private CoreSeat seat;

  // Since the last count.
  private long rows;
  private long countedNanos = System.nanoTime();
  private long timedRows;
  private long timedNanos;

  /** As of before the last count. */
  private double nanosPerRow;

  InlineTally(TaskLedger ledger, Scheduler scheduler) {
    this.ledger = ledger;
    this.scheduler = scheduler;
  }

  /** Rows have been computed. */
  void add(long more) {
    rows += more;
  }

  /** The calls of one of them took so long. */
  void timed(long nanos) {
    timedRows++;
    timedNanos += nanos;
  }

  /** Counts the rows so far, unless that was done just before. */
  void look(long now) {
    if (now - countedNanos >= COUNT_NANOS) {
      count(now);
    }
  }

  /** Counts the rows so far, and gives the core back. */
  void end(long now) {
    count(now);
    if (seat != null) {
      seat.close();
      seat = null;
    }
  }

  /** Up to now, the time was that of others. */
  void skip(long now) {
    countedNanos = now;
  }

  private void count(long now) {
    if (rows > 0) {
      if (seat == null) {
        seat = scheduler.takeSeat();
      }
      nanosPerRow = timedRows > 0 ? (double) timedNanos / timedRows : nanosPerRow;
      long busy = (long) Math.min((double) (now - countedNanos), nanosPerRow * rows);
      ledger.countInline(seat.device(), rows, now - busy, now);
    }
    rows = 0;
    timedRows = 0;
    timedNanos = 0;
    countedNanos = now;
  }
}
