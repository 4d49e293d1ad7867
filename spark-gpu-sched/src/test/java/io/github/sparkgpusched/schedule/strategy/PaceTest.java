package io.github.sparkgpusched.schedule.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
  /** Rows that cost nothing take some time all the same: that is no pace. */
  @ParameterizedTest
  @ValueSource(doubles = {0, Double.POSITIVE_INFINITY, Double.NaN, -1})
  void whatIsNoPaceIsNotLearned(double nanosPerCost) {
    Pace pace = new Pace();
    pace.learn(3, nanosPerCost);
    pace.learnJob(nanosPerCost, 0.1);
    assertFalse(pace.isKnown());
    assertEquals(1, pace.error());
    pace.learn(3, 100);
    pace.learnJob(100, 0.1);
    pace.learnJob(nanosPerCost, 0.1);
    pace.learn(4, nanosPerCost);
    assertEquals(100, pace.nanosPerCost());
    assertEquals(3, pace.step());
    assertEquals(0.5, pace.error());
  }
}
