package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.device.cuda.ScheduleChoice.Schedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which schedule launches get, by times that the test says. */
class ScheduleChoiceTest {
  private static final long ROWS = 100_000;
  private static final List<Schedule> SCHEDULES =
      List.of(
          new Schedule("stealing", "steps"),
          new Schedule("stealing", "rows"),
          new Schedule("static", "rows"));

  private final ScheduleChoice choice = new ScheduleChoice(SCHEDULES);
  private final Map<Schedule, Double> nanosOfRow = new HashMap<>();
  private final Random random = new Random(1);
  private double took;

  private ScheduleChoiceTest() {
    cost(10, 20, 30);
  }

  private void cost(double... nanos) {
    for (int i = 0; i < nanos.length; i++) {
      nanosOfRow.put(SCHEDULES.get(i), nanos[i]);
    }
  }

  private List<Schedule> launch(int launches, double noise) {
    List<Schedule> had = new ArrayList<>();
    for (int i = 0; i < launches; i++) {
      Schedule next = choice.next(ROWS);
      double nanos = ROWS * nanosOfRow.get(next) * (1 + noise * (random.nextDouble() - 0.5));
      choice.took(next, ROWS, (long) nanos);
      took += nanos;
      had.add(next);
    }
    return had;
  }

  /** Killed, or without room: a launch may end without having taken any time. */
  @Test
  void trialsThatNobodyHeardOfAreMadeAgain() {
    cost(20, 30, 10);
    for (int i = 0; i < 2 * SCHEDULES.size() * ScheduleChoice.TRIALS; i++) {
      Schedule next = choice.next(ROWS);
      if (i % 2 == 1) {
        choice.took(next, ROWS, (long) (ROWS * nanosOfRow.get(next)));
      }
    }
    launch(6 * ScheduleChoice.REVIEW, 0);
    assertEquals(SCHEDULES.get(2), choice.chosen());
  }

  @Test
  void eachIsTriedTwiceAndThenTheBestIsTaken() {
    cost(20, 30, 16);
    List<Schedule> had = launch(3 * ScheduleChoice.TRIALS, 0);
    SCHEDULES.forEach(
        one -> assertEquals(ScheduleChoice.TRIALS, had.stream().filter(one::equals).count()));
    assertEquals(SCHEDULES.get(2), choice.chosen());
    assertEquals(SCHEDULES.get(2), choice.next(ROWS));
  }

  @Test
  void oneThatLosesByFarIsTriedOnce() {
    cost(20, 100, 12);
    List<Schedule> had = launch(ScheduleChoice.REVIEW - 1, 0);
    assertEquals(1, had.stream().filter(SCHEDULES.get(1)::equals).count());
    assertEquals(SCHEDULES.get(2), choice.chosen());
  }

  /** Each event is a call into the driver. */
  @Test
  void whatIsChosenIsTimedNowAndThen() {
    int trials = SCHEDULES.size() * ScheduleChoice.TRIALS;
    int timed = 0;
    for (int i = 0; i < trials + 10 * ScheduleChoice.REVIEW; i++) {
      Schedule next = choice.next(ROWS);
      boolean isTimed = choice.isTimed(next, ROWS);
      if (isTimed) {
        choice.took(next, ROWS, (long) (ROWS * nanosOfRow.get(next)));
        timed++;
      }
      assertTrue(
          isTimed || (i > SCHEDULES.size() && next.equals(SCHEDULES.get(0))),
          "a trial, or what another takes than the chosen one, is not timed: " + next);
    }
    assertTrue(timed >= 10 && timed <= trials + 25, timed + " launches are timed");
    assertFalse(choice.isTimed(choice.next(10), 10), "a launch of few rows");
  }

  /** The first launch of a kernel has its loading in it. */
  @Test
  void theFirstOfTwoTrialsMayBeSlow() {
    for (int i = 0; i < 3 * ScheduleChoice.TRIALS; i++) {
      Schedule next = choice.next(ROWS);
      boolean first = i == 0;
      choice.took(next, ROWS, (long) (ROWS * nanosOfRow.get(next) * (first ? 100 : 1)));
    }
    assertEquals(SCHEDULES.get(0), choice.chosen());
  }

  @Test
  void whatManyLaunchesLoseIsAFewPercent() {
    cost(30, 10, 12);
    launch(10, 0.1);
    took = 0;
    int launches = 2000;
    launch(launches, 0.1);
    assertTrue(took / launches / ROWS < 10 * 1.03, took / launches / ROWS + " ns a row");
  }

  @Test
  void aFunctionWhoseRowsBecomeOthersIsFollowed() {
    launch(100, 0.05);
    assertEquals(SCHEDULES.get(0), choice.chosen());
    cost(30, 10, 30);
    launch(40 * ScheduleChoice.REVIEW, 0.05);
    assertEquals(SCHEDULES.get(1), choice.chosen());
  }

  @Test
  void anotherThatHasBecomeBetterIsFound() {
    launch(100, 0.05);
    cost(10, 5, 30);
    launch(40 * ScheduleChoice.REVIEW, 0.05);
    assertEquals(SCHEDULES.get(1), choice.chosen());
  }

  @Test
  void schedulesThatAreAlikeDoNotTakeTurns() {
    cost(10, 10.05, 9.95);
    launch(20, 0);
    assertEquals(SCHEDULES.get(0), choice.chosen(), "another is hardly better");
    launch(1000, 0.01);
    assertEquals(SCHEDULES.get(0), choice.chosen());
  }

  @Test
  void launchesOfFewRowsSayNothing() {
    for (int i = 0; i < 100; i++) {
      Schedule next = choice.next(10);
      assertEquals(SCHEDULES.get(0), next);
      choice.took(next, 10, 1_000_000_000);
    }
    assertEquals(SCHEDULES.get(0), choice.next(ROWS));
    assertEquals(SCHEDULES.get(1), choice.next(ROWS));
  }

  /** Another UDF may have the same kernel, and a strategy of its own. */
  @Test
  void aScheduleThatIsNoneOfTheseSaysNothing() {
    assertNull(choice.took(new Schedule("sharing", "rows"), ROWS, 1));
    launch(3 * ScheduleChoice.TRIALS, 0);
    assertEquals(SCHEDULES.get(0), choice.chosen());
  }

  /** Launches are under way while others begin. */
  @Test
  void trialsMayOverlap() {
    List<Schedule> begun = new ArrayList<>();
    for (int i = 0; i < 3 * ScheduleChoice.TRIALS; i++) {
      begun.add(choice.next(ROWS));
    }
    SCHEDULES.forEach(
        one -> assertEquals(ScheduleChoice.TRIALS, begun.stream().filter(one::equals).count()));
    assertEquals(SCHEDULES.get(0), choice.next(ROWS));
  }
}
