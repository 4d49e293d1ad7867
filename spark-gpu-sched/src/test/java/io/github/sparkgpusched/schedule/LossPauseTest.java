package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LossPauseTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long HALF_MILLISECOND = MILLISECOND / 2;

  private final LossPause pause = new LossPause(2);

  @Test
  void holdsForLongerAfterEachLoss() {
    assertFalse(pause.holds(0, 100, 1), "before any loss");
    pause.lost(0, MILLISECOND, 100, 1);
    assertTrue(pause.holds(HALF_MILLISECOND - 1, 100, 1));
    assertFalse(pause.holds(HALF_MILLISECOND, 100, 1));
    pause.lost(HALF_MILLISECOND, MILLISECOND, 100, 1);
    assertTrue(pause.holds(3 * HALF_MILLISECOND - 1, 100, 1));
    assertFalse(pause.holds(3 * HALF_MILLISECOND, 100, 1));
    for (int i = 0; i < 100; i++) {
      pause.lost(0, MILLISECOND, 100, 1);
    }
    assertFalse(pause.holds(100 * HALF_MILLISECOND, 100, 1), "for ever");
  }

  @Test
  void aGainEndsIt() {
    pause.lost(0, MILLISECOND, 100, 1);
    pause.lost(0, MILLISECOND, 100, 1);
    pause.won();
    assertFalse(pause.holds(1, 100, 1));
    pause.lost(0, MILLISECOND, 100, 1);
    assertFalse(pause.holds(HALF_MILLISECOND, 100, 1), "as long as after two");
  }

  /** They are not like the batch that lost. */
  @Test
  void rowsThatAreMuchDearerAndMoreCoresDoNotWait() {
    pause.lost(0, MILLISECOND, 100, 1);
    assertTrue(pause.holds(1, 199, 1));
    assertFalse(pause.holds(1, 200, 1));
    assertTrue(pause.holds(1, 100, 0));
    assertFalse(pause.holds(1, 100, 2));
  }

  @Test
  void rowsThatWereTriedInAPauseAndLostWaitToo() {
    pause.lost(0, MILLISECOND, 100, 1);
    pause.lost(1, MILLISECOND, 300, 1);
    pause.lost(2, MILLISECOND, 100, 1);
    assertTrue(pause.holds(3, 300, 1));
  }

  @Test
  void whatTakesLongToTryIsTriedLessOften() {
    pause.lost(0, 20 * MILLISECOND, 100, 1);
    assertTrue(pause.holds(20 * HALF_MILLISECOND - 1, 100, 1));
    assertFalse(pause.holds(20 * HALF_MILLISECOND, 100, 1));
  }

  /** The clock may begin anywhere. */
  @Test
  void holdsAcrossTheClocksEnd() {
    pause.lost(Long.MAX_VALUE, MILLISECOND, 100, 1);
    assertTrue(pause.holds(Long.MIN_VALUE, 100, 1));
    assertFalse(pause.holds(Long.MIN_VALUE + HALF_MILLISECOND, 100, 1));
  }
}
