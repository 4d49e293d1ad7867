package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When an executor asks the driver; the test moves the clock. */
class QuestionsTest {
  private static final int TICK_MILLIS = 10;

  private final Need need = new Need();
  private long now = TimeUnit.SECONDS.toNanos(1);
  private final Questions questions = new Questions(now);

  private int wanted = 4;
  private int idle;
  private long idleSince;
  private long needUntil;

  private void needsFor(int millis) {
    needUntil = now + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private Questions.Next ask() {
    if (now < needUntil) {
      need.isNew(now);
    }
    return questions.next(now, need, wanted, idleSince, idle);
  }

  /** Asks each ten milliseconds; how many milliseconds passed until it got a question of a kind. */
  private int until(Questions.Next kind, int mostMillis) {
    for (int millis = 0; millis <= mostMillis; millis += TICK_MILLIS) {
      if (ask() == kind) {
        return millis;
      }
      wait(TICK_MILLIS);
    }
    return Integer.MAX_VALUE;
  }

  private void wait(int millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void becomesIdle(int cores) {
    idle = cores;
    idleSince = now;
  }

  @Test
  void aCoreThatStaysIdleIsOfferedOnceAndThenNowAndThen() {
    becomesIdle(1);
    assertEquals(30, until(Questions.Next.OFFER, 1000));
    assertEquals(10_000, until(Questions.Next.OFFER, 20_000), "the driver remembers it");
  }

  @Test
  void coresThatSomebodyWasToldOfAreOfferedAgainSoon() {
    becomesIdle(1);
    until(Questions.Next.OFFER, 1000);
    questions.told(now);
    assertEquals(100, until(Questions.Next.OFFER, 20_000));
  }

  @Test
  void whoWaitsToOfferAgainLooksInTime() {
    assertEquals(millis(500), questions.waitNanos(now, need, 0), "there is nothing to offer");
    becomesIdle(1);
    assertEquals(millis(10), questions.waitNanos(now, need, idle));
    until(Questions.Next.OFFER, 1000);
    assertEquals(millis(500), questions.waitNanos(now, need, idle));
    questions.told(now);
    assertEquals(millis(100), questions.waitNanos(now, need, idle));
    need.isNew(now);
    assertEquals(millis(10), questions.waitNanos(now, need, 0));
  }

  private static long millis(int count) {
    return TimeUnit.MILLISECONDS.toNanos(count);
  }

  /** Short tasks come and go. */
  @Test
  void whatTheDriverKnowsItIsNotToldAgain() {
    becomesIdle(2);
    until(Questions.Next.OFFER, 1000);
    for (int i = 0; i < 20; i++) {
      becomesIdle(i % 3);
      assertEquals(Integer.MAX_VALUE, until(Questions.Next.OFFER, 400));
    }
    becomesIdle(3);
    assertEquals(30, until(Questions.Next.OFFER, 1000), "there is one more");
  }

  @Test
  void aCoreThatWasLentIsOfferedOnceItIsBack() {
    becomesIdle(2);
    until(Questions.Next.OFFER, 1000);
    questions.asked(true);
    idle = 1;
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.OFFER, 5000));
    becomesIdle(2);
    assertEquals(30, until(Questions.Next.OFFER, 1000));
  }

  /** So the driver has given away what it thought that this one has. */
  @Test
  void whoHadToRefuseOffersAgain() {
    becomesIdle(2);
    until(Questions.Next.OFFER, 1000);
    becomesIdle(0);
    questions.asked(false);
    becomesIdle(1);
    assertEquals(30, until(Questions.Next.OFFER, 1000));
  }

  @Test
  void nothingIsOfferedWhereNoCoreIsIdle() {
    becomesIdle(0);
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.OFFER, 20_000));
    idle = 1;
    assertEquals(0, until(Questions.Next.OFFER, 0), "nothing was asked in vain before");
  }

  /** Between two batches of one task cores are idle for moments. */
  @Test
  void whoHasJustWantedCoresOffersNone() {
    need.isNew(now);
    becomesIdle(1);
    assertEquals(100, until(Questions.Next.OFFER, 1000));
  }

  @Test
  void whoHasNoTaskAnyMoreOffersAtOnce() {
    need.isNew(now);
    becomesIdle(1);
    need.end();
    assertEquals(30, until(Questions.Next.OFFER, 1000));
  }

  @Test
  void coresAreSoughtOnceTheyHaveBeenWantedForAWhileAndThenNowAndThen() {
    needsFor(10_000);
    assertEquals(40, until(Questions.Next.SEEK, 1000));
    assertEquals(2500, until(Questions.Next.SEEK, 5000), "the driver forgets it then");
    assertEquals(2500, until(Questions.Next.SEEK, 5000));
    wait(6000);
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.SEEK, 20_000), "the job is over");
  }

  @Test
  void whoHasIdleCoresSeeksNone() {
    needsFor(60_000);
    becomesIdle(1);
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.SEEK, 5000));
    idle = 0;
    assertEquals(0, until(Questions.Next.SEEK, 5000));
  }

  @Test
  void whoHasAllItMayHaveSeeksNone() {
    needsFor(60_000);
    wanted = 0;
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.SEEK, 5000));
  }

  /** The driver thinks that it has got them. */
  @Test
  void whoWasRefusedCoresSeeksAgainSoon() {
    needsFor(10_000);
    until(Questions.Next.SEEK, 1000);
    questions.refused(now);
    assertEquals(100, until(Questions.Next.SEEK, 5000));
    questions.refused(now);
    wait(50);
    questions.refused(now);
    assertEquals(50, until(Questions.Next.SEEK, 5000), "the first refusal counts");
  }

  @Test
  void needEndsSoonAfterItWasLastTold() {
    assertTrue(need.isNew(now));
    wait(90);
    assertFalse(need.isNew(now));
    wait(90);
    assertTrue(need.isSettled(now));
    wait(10);
    assertFalse(need.lasts(now));
    assertTrue(need.isNew(now));
    need.end();
    assertFalse(need.lasts(now));
  }

  /** Tasks that come and go make cores idle again and again. */
  @Test
  void inTheLongRunThereIsOneQuestionASecond() {
    int asked = 0;
    for (int millis = 0; millis < 100_000; millis += TICK_MILLIS) {
      if (millis % 50 == 0) {
        becomesIdle(millis / 50 % 3);
      }
      if (millis % 70 == 0 && millis / 500 % 2 == 0) {
        need.isNew(now);
      }
      asked += ask() == Questions.Next.NONE ? 0 : 1;
      wait(TICK_MILLIS);
    }
    assertTrue(asked > 20 && asked <= 105, asked + " questions in 100 seconds");
  }
}
