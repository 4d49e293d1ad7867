package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TicksTest {
  private static List<String> texts(double seconds) {
    return Ticks.of((long) (seconds * 1e6)).stream().map(Ticks::text).toList();
  }

  @Test
  void marksAreWholeStepsAsClocksHaveThem() {
    assertEquals(List.of("0 ns", "10 s", "20 s", "30 s", "40 s", "50 s", "1 min"), texts(60));
    assertEquals("1 min 15 s", texts(100).get(5));
    assertEquals(List.of("0 ns", "2 min", "4 min", "6 min", "8 min", "10 min"), texts(600));
    assertEquals(List.of("0 ns", "200 ms", "400 ms", "600 ms", "800 ms", "1 s"), texts(1.05));
    assertEquals("1 h 30 min", texts(4 * 3600).get(3));
    assertEquals("1 d", texts(3 * 86400).get(2));
  }

  @Test
  void thereAreNeverManyNorNone() {
    for (double seconds = 1e-6; seconds < 1e9; seconds *= 1.7) {
      int marks = texts(seconds).size();
      assertTrue(marks >= 1 && marks <= 10, marks + " marks of " + seconds + " s");
    }
  }

  /** The mark after the last is no number of 64 bits. */
  @Test
  void thereAreFewOfTheLongestTime() {
    for (long length : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1_700_000_000_000_000L}) {
      int marks = Ticks.of(length).size();
      assertTrue(marks >= 1 && marks <= 10, marks + " marks of " + length + " µs");
    }
  }
}
