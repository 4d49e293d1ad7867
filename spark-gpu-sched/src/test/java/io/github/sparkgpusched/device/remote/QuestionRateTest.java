package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuestionRateTest {
  @Test
  void oneASecondAndAFewThatWereSaved() {
    QuestionRate rate = new QuestionRate(0);
    assertEquals(3, asked(rate, 0, 1));
    assertEquals(10, asked(rate, 2, 10_002));
    assertEquals(3, asked(rate, 60_000, 60_001), "more than three were saved");
  }

  /** Who asks three times each millisecond, for so long. */
  private static int asked(QuestionRate rate, long fromMillis, long untilMillis) {
    int asked = 0;
    for (long at = fromMillis; at <= untilMillis; at++) {
      for (int i = 0; i < 3; i++) {
        asked += rate.mayAsk(TimeUnit.MILLISECONDS.toNanos(at)) ? 1 : 0;
      }
    }
    return asked;
  }
}
