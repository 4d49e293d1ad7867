package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FormatTest {
  @Test
  void timesHaveTheUnitThatSuits() {
    assertEquals("0 ns", Format.nanos(0));
    assertEquals("1.50 µs", Format.nanos(1_500));
    assertEquals("12.3 ms", Format.nanos(12_345_678));
    assertEquals("640 ms", Format.nanos(640_000_000));
    assertEquals("2.08 min", Format.nanos(125_000_000_000L));
    assertEquals("3.00 h", Format.nanos(10_800_000_000_000L));
    assertEquals("5 s", Format.round(5_000_000_000L));
    assertEquals("12.5 s", Format.round(12_500_000_000L));
    assertEquals("2.5 s", Format.round(2_500_000_000L));
    assertEquals("10 min", Format.round(600_000_000_000L));
  }

  @Test
  void skewBesideTasksThatComputeNothingIsNoFigure() {
    assertEquals("27.2 ×", Format.skew(27.24));
    assertEquals("> 999 ×", Format.skew(52_535_632));
  }

  @Test
  void bytesAreInBinaryUnits() {
    assertEquals("1023 B", Format.bytes(1023));
    assertEquals("1.50 KiB", Format.bytes(1536));
    assertEquals("78.0 GiB", Format.bytes(78L << 30));
  }
}
