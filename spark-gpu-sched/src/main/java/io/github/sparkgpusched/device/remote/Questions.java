package io.github.sparkgpusched.device.remote;

import java.util.concurrent.TimeUnit;

/**
 * When an executor asks the driver for cores, or offers its own: soon after its state has changed,
 * then now and then, and never more often than {@link QuestionRate} allows. One thread uses it; the
 * simulator of clusters does too.
 */
public final class Questions {
  /** What to ask. */
  public enum Next {
    NONE,
    SEEK,
    OFFER
  }

  /** A core is offered after it was idle for so long. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The driver remembers an offer; this is for a driver that has forgotten. */
  private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The driver counts cores that it has told somebody of as taken; nobody may have come. */
  private static final long RENEW_TOLD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final QuestionRate rate;
  private long sought;
  private long seekAgain;
  private long offered;
  private long offerAgain;

  /** Nothing has been asked yet. */
  public Questions(long nowNanos) {
    this.rate = new QuestionRate(nowNanos);
    this.sought = nowNanos - 1;
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
  public Next next(long now, Need need, int wanted, long idleSince, int idle) {
    if (offerIsDue(now, need, idleSince) && idle > 0 && now - idleSince > IDLE_NANOS) {
      if (rate.mayAsk(now)) {
        offered = idleSince;
        offerAgain = now + RENEW_NANOS;
        return Next.OFFER;
      }
    } else if (need.isSettled(now)
        && wanted > 0
        && idle == 0
        && (need.sinceNanos() != sought || now - seekAgain >= 0)
        && rate.mayAsk(now)) {
      sought = need.sinceNanos();
      seekAgain = now + Need.LASTING_NANOS;
      return Next.SEEK;
    }
    return Next.NONE;
  }

  /** Whether it wants to offer cores, if there are any. */
  public boolean offerIsDue(long now, Need need, long idleSince) {
    return need.isQuiet(now) && idleSince != 0 && (idleSince != offered || now - offerAgain >= 0);
  }

  /** The driver has told somebody of the cores that were offered. */
  public void told(long now) {
    offerAgain = now + RENEW_TOLD_NANOS;
  }
}
