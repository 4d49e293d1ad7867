package io.github.sparkgpusched.schedule.strategy.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.PrefixCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import org.junit.jupiter.api.Test;

class TimedStepTest {
  private static final long TARGET = 1000;

  private static TimedStep fresh() {
    return new TimedStep(new Pace(), RangeCosts.UNIFORM, 2, 2000, TARGET, false);
  }

  private static Pace taught(double step, double nanosPerCost) {
    Pace pace = new Pace();
    pace.learn(step, nanosPerCost);
    return pace;
  }

  @Test
  void startsWithOneRowThenSixteenAverageOnes() {
    TimedStep step = fresh();
    assertEquals(0, step.cost());
    assertEquals(0, step.nanosPerCost());
    step.took(1, 3, 600);
    assertEquals(32, step.cost());
    assertEquals(200, step.nanosPerCost());
  }

  @Test
  void staysAtOneRowThatTookLong() {
    TimedStep step = fresh();
    step.took(1, 3, 5000);
    assertEquals(3, step.cost());
  }

  @Test
  void doublesWhileShortHalvesWhenLong() {
    TimedStep step = fresh();
    step.took(1, 2, 10);
    step.took(16, 32, 499);
    assertEquals(64, step.cost());
    step.took(32, 64, 500);
    step.took(32, 64, 2000);
    assertEquals(64, step.cost());
    step.took(32, 64, 2001);
    assertEquals(32, step.cost());
  }

  @Test
  void beginsSmallElsewhere() {
    TimedStep step = new TimedStep(taught(640, 1), RangeCosts.UNIFORM, 2, 2000, TARGET, false);
    step.beginElsewhere();
    assertEquals(40, step.cost());
    for (int leaf = 0; leaf < 5; leaf++) {
      step.beginElsewhere();
    }
    assertEquals(2, step.cost());
    TimedStep unknown = fresh();
    unknown.beginElsewhere();
    assertEquals(0, unknown.cost());
    TimedStep ofCheapRows = new TimedStep(taught(1, 1), RangeCosts.UNIFORM, 2, 2000, TARGET, false);
    ofCheapRows.beginElsewhere();
    assertEquals(1, ofCheapRows.cost());
  }

  @Test
  void aShortRestSaysNothing() {
    TimedStep step = fresh();
    step.took(1, 2, 10);
    step.took(2, 4, 10);
    assertEquals(32, step.cost());
  }

  @Test
  void oneLongRowDoesNotHalve() {
    TimedStep step = fresh();
    step.took(1, 2, 10);
    step.took(1, 50, 1_000_000);
    assertEquals(32, step.cost());
  }

  @Test
  void neverExceedsTheJob() {
    TimedStep step = fresh();
    step.took(1, 2, 1);
    for (int i = 0; i < 100; i++) {
      step.took(10, step.cost(), 1);
    }
    assertEquals(2000, step.cost());
  }

  @Test
  void freeRowsGiveNoPace() {
    TimedStep step = fresh();
    step.took(1, 0, 100);
    assertEquals(Double.POSITIVE_INFINITY, step.nanosPerCost());
    assertEquals(32, step.cost());
    step.took(4, 10, 100);
    assertEquals(10, step.nanosPerCost());
  }

  @Test
  void startsFromThePace() {
    TimedStep step = new TimedStep(taught(77, 5), RangeCosts.UNIFORM, 1, 100, TARGET, false);
    assertEquals(77, step.cost());
    assertEquals(5, step.nanosPerCost());
  }

  @Test
  void isAtTheTargetSoon() {
    TimedStep step = new TimedStep(new Pace(), RangeCosts.UNIFORM, 1, 1e6, 50_000, false);
    for (int i = 0; i < 20; i++) {
      double cost = Math.max(1, step.cost());
      step.took((long) cost, cost, (long) (cost * 30)); // 30 ns a row
    }
    double nanos = step.cost() * 30;
    assertTrue(nanos >= 25_000 && nanos <= 100_000, nanos + " ns");
  }

  @Test
  void takesItsCostFromEitherEnd() {
    RangeCosts costs = new PrefixCosts(1, 1, 1, 1, 2, 2, 8);
    TimedStep step = new TimedStep(taught(4, 1), costs, 2, 16, TARGET, false);
    assertEquals(4, step.rows(0, 7, false));
    assertEquals(2, step.rows(4, 6, false));
    assertEquals(1, step.rows(0, 7, true));
    assertEquals(2, step.rows(0, 6, true));
    assertEquals(3, step.rows(0, 3, true));
  }

  @Test
  void takesOneRowWhileNothingIsKnown() {
    assertEquals(1, fresh().rows(0, 100, false));
    assertEquals(1, fresh().rows(0, 100, true));
  }

  @Test
  void teachesLaterJobs() {
    TimedStep step = fresh();
    step.took(1, 3, 600);
    Pace pace = new Pace();
    step.teach(pace);
    assertEquals(32, pace.step());
    assertEquals(200, pace.nanosPerCost());
    assertEquals(1, step.blocks());
  }
}
