package io.github.sparkgpusched.sql.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.schedule.CoreSeat;
import io.github.sparkgpusched.schedule.Scheduler;
import java.util.concurrent.TimeUnit;

/**
 * Counts the rows that a task computes in place, for the core that its thread goes by meanwhile.
 * The time of their calls is what the rows that were timed took on average: the rest of a row's way
 * through the task is no work of a device. Used by the thread that computes the rows; it is closed
 * by the task's, which may be another one: then that one goes by no core any more.
 */
final class InlineTally {
  private static final long COUNT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final TaskLedger ledger;
  private final Scheduler scheduler;

  /** Null while no rows are computed in place, and once closed. */
  @GuardedBy("this")
  private CoreSeat seat;

  @GuardedBy("this")
  private boolean closed;

  // Since the last count.
  @GuardedBy("this")
  private long rows;

  @GuardedBy("this")
  private long countedNanos = System.nanoTime();

  @GuardedBy("this")
  private long timedRows;

  @GuardedBy("this")
  private long timedNanos;

  /** As of before the last count. */
  @GuardedBy("this")
  private double nanosPerRow;

  InlineTally(TaskLedger ledger, Scheduler scheduler) {
    this.ledger = ledger;
    this.scheduler = scheduler;
  }

  /** Rows have been computed. */
  synchronized void add(long more) {
    rows += more;
  }

  /** The calls of one of them took so long. */
  synchronized void timed(long nanos) {
    timedRows++;
    timedNanos += nanos;
  }

  /** Counts the rows so far, unless that was done just before. */
  synchronized void look(long now) {
    if (now - countedNanos >= COUNT_NANOS) {
      count(now);
    }
  }

  /** Counts the rows so far, and gives the core back. */
  synchronized void end(long now) {
    count(now);
    if (seat != null) {
      seat.close();
      seat = null;
    }
  }

  /** Up to now, the time was that of others. */
  synchronized void skip(long now) {
    countedNanos = now;
  }

  /** The task has ended. */
  synchronized void close(long now) {
    end(now);
    closed = true;
  }

  @GuardedBy("this")
  private void count(long now) {
    if (rows > 0 && !closed) {
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
