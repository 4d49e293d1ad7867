package io.github.sparkgpusched.it.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlopeTest {
  private static final int MINUTES = 120;

  private static double[] seconds() {
    double[] seconds = new double[MINUTES];
    Arrays.setAll(seconds, i -> 60.0 * i);
    return seconds;
  }

  /** Values of a line with noise of 10 about it, and a tenth of them far off. */
  private static Slope of(double perHour) {
    SplittableRandom random = new SplittableRandom(5);
    double[] values = new double[MINUTES];
    Arrays.setAll(
        values, i -> 1000 + perHour * i / 60 + 10 * random.nextDouble() + (i % 10 == 9 ? 500 : 0));
    return Slope.of(seconds(), values);
  }

  @Test
  void noiseIsFlat() {
    assertTrue(of(0).isFlat(0));
    assertTrue(of(-100).isFlat(0));
  }

  @Test
  void whatGrowsBeyondItsNoiseIsNot() {
    Slope slope = of(60);
    assertEquals(60, slope.perHour(), 3);
    assertEquals(119, slope.grown(), 6);
    assertFalse(slope.isFlat(0));
    assertFalse(slope.isFlat(100));
    assertTrue(slope.isFlat(130));
  }

  @Test
  void twoValuesAreTooFew() {
    assertThrows(
        IllegalArgumentException.class, () -> Slope.of(new double[] {1, 2}, new double[] {1, 2}));
  }
}
