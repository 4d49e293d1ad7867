package io.github.sparkgpusched.device.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/**
 * When an executor asks the driver for cores, or offers its own: soon after its state has changed,
 * then now and then, and never more often than {@link QuestionRate} allows. What the driver knows
 * it is not told again. Thread-safe; the simulator of clusters uses it too.
 */
public final class Questions {
  /** What to ask. */
  public enum Next {
    NONE,
    SEEK,
    OFFER
  }

  /** The longest time between two looks at what there is to ask. */
  public static final long REST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The driver remembers an offer; this is for a driver that has forgotten. */
  private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A bit less than the driver remembers a wish. */
  private static final long SEEK_AGAIN_NANOS = Matchmaker.WANTED_NANOS * 5 / 6;

  /** Whoever was refused by one may yet have cores of the next. */
  private static final long AFTER_REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The driver counts cores that it has told somebody of as taken. Nobody may have come: tasks that
   * have just ended wanted some until then.
   */
  private static final long RENEW_TOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  @GuardedBy("this")
  private final QuestionRate rate;

  /** Until then the driver remembers what this one wants. */
  @GuardedBy("this")
  private long seekAgain;

  /** Idle cores that the driver knows of, as far as is known here. */
  @GuardedBy("this")
  private int offered;

  @GuardedBy("this")
  private long offerAgain;

  /** Nothing has been asked yet. */
  public Questions(long nowNanos) {
    this.rate = new QuestionRate(nowNanos);
    this.seekAgain = nowNanos;
    this.offerAgain = nowNanos;
  }

  /**
   * What is to be asked now; it then counts as asked.
   *
   * @param wanted how many more cores of others it could use
   * @param idleSince when a core became idle last; 0 while none is
   * @param idle how many cores it could lend
   */
  public synchronized Next next(long now, Need need, int wanted, long idleSince, int idle) {
    if (offerIsDue(now, need, idle) && now - idleSince > Waits.IDLE_NANOS) {
      if (rate.mayAsk(now)) {
        offered = idle;
        offerAgain = now + RENEW_NANOS;
        seekAgain = now; // the driver forgets what it wanted
        return Next.OFFER;
      }
    } else if (need.isSettled(now)
        && wanted > 0
        && idle == 0
        && now - seekAgain >= 0
        && rate.mayAsk(now)) {
      offered = 0; // the driver forgets what it offered
      seekAgain = now + SEEK_AGAIN_NANOS;
      return Next.SEEK;
    }
    return Next.NONE;
  }

  /** How long to wait until it is worth asking {@link #next} again, if nothing else happens. */
  public synchronized long waitNanos(long now, Need need, int idle) {
    if (need.lasts(now) || offerIsDue(now, need, idle)) {
      return Waits.LOOK_NANOS;
    }
    return idle > 0
        ? Math.max(Waits.LOOK_NANOS, Math.min(REST_WAIT_NANOS, offerAgain - now))
        : REST_WAIT_NANOS;
  }

  /** Whether it wants to offer cores. A task that has just wanted some may want its own next. */
  private synchronized boolean offerIsDue(long now, Need need, int idle) {
    return idle > 0 && !need.lasts(now) && (idle > offered || now - offerAgain >= 0);
  }

  /** The driver has told somebody of the cores that were offered. */
  public synchronized void told(long now) {
    offerAgain = now + RENEW_TOLD_NANOS;
  }

  /**
   * A lender of whom the driver has told had no core left: the driver takes the wish, or a part of
   * it, for granted.
   */
  public synchronized void refused(long now) {
    if (seekAgain - now > AFTER_REFUSAL_NANOS) {
      seekAgain = now + AFTER_REFUSAL_NANOS;
    }
  }

  /**
   * Somebody has come for a core, of whom the driver has told, or who was told of it.
   *
   * @param lent false if there was none: the driver is wrong about this executor
   */
  public synchronized void asked(boolean lent) {
    offered = lent ? Math.max(0, offered - 1) : 0;
  }
}
