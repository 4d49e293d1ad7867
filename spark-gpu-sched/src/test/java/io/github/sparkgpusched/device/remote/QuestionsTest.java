package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
  private boolean hasTasks = true;

  private Questions.Next ask() {
    return questions.next(now, need, wanted, idleSince, idle, hasTasks);
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
    assertEquals(1000, until(Questions.Next.OFFER, 20_000));
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
    need.isNew(now, 0);
    becomesIdle(1);
    assertEquals(100, until(Questions.Next.OFFER, 1000));
  }

  @Test
  void whoHasNoTaskAnyMoreOffersAtOnce() {
    need.isNew(now, 0);
    becomesIdle(1);
    hasTasks = false;
    assertEquals(30, until(Questions.Next.OFFER, 1000));
  }

  @Test
  void coresAreSoughtOnceTheyHaveBeenWantedForAWhileAndThenEachSecond() {
    assertTrue(need.isNew(now, TimeUnit.SECONDS.toNanos(5)));
    assertEquals(40, until(Questions.Next.SEEK, 1000));
    assertEquals(1000, until(Questions.Next.SEEK, 2000));
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.SEEK, 900));
    wait(6000);
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.SEEK, 20_000), "the job is over");
  }

  @Test
  void whoHasIdleCoresSeeksNone() {
    need.isNew(now, TimeUnit.SECONDS.toNanos(60));
    becomesIdle(1);
    until(Questions.Next.OFFER, 1000);
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.SEEK, 5000));
    idle = 0;
    assertTrue(until(Questions.Next.SEEK, 5000) <= 1000);
  }

  @Test
  void whoHasAllItMayHaveSeeksNone() {
    need.isNew(now, TimeUnit.SECONDS.toNanos(60));
    wanted = 0;
    assertEquals(Integer.MAX_VALUE, until(Questions.Next.SEEK, 5000));
  }

  @Test
  void aLongJobIsNeededToItsEnd() {
    need.isNew(now, TimeUnit.SECONDS.toNanos(30));
    wait(20_000);
    need.isNew(now, 0);
    wait(5_000);
    assertTrue(need.lasts(now), "a short job beside it does not end it");
    wait(6_001);
    assertTrue(need.isNew(now, 0));
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
        need.isNew(now, 0);
      }
      asked += ask() == Questions.Next.NONE ? 0 : 1;
      wait(TICK_MILLIS);
    }
    assertTrue(asked > 20 && asked <= 105, asked + " questions in 100 seconds");
  }
}
