package io.github.sparkgpusched.schedule.strategy.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowRangesTest {
  private static List<String> add(RowRanges ranges, long from, long until) {
    List<String> added = new ArrayList<>();
    ranges.add(from, until, (a, b) -> added.add(a + "-" + b));
    return added;
  }

  private static long size(RowRanges ranges) {
    long[] size = {1000};
    ranges.gaps(0, 1000, (from, until) -> size[0] -= until - from);
    return size[0];
  }

  @Test
  void tellsWhatWasNotThere() {
    RowRanges ranges = new RowRanges();
    assertEquals(List.of("10-20"), add(ranges, 10, 20));
    assertEquals(List.of(), add(ranges, 12, 18));
    assertEquals(List.of("5-10", "20-25"), add(ranges, 5, 25));
    assertEquals(List.of("30-40"), add(ranges, 30, 40));
    assertEquals(List.of("0-5", "25-30", "40-50"), add(ranges, 0, 50));
    assertEquals(50, size(ranges));
  }

  @Test
  void tellsOfGapsAndKeepsThem() {
    RowRanges ranges = new RowRanges();
    add(ranges, 10, 20);
    add(ranges, 30, 40);
    for (int turn = 0; turn < 2; turn++) {
      List<String> gaps = new ArrayList<>();
      ranges.gaps(5, 45, (from, until) -> gaps.add(from + "-" + until));
      assertEquals(List.of("5-10", "20-30", "40-45"), gaps);
    }
    ranges.gaps(12, 20, (from, until) -> fail(from + "-" + until));
    assertEquals(20, size(ranges));
    assertTrue(ranges.contains(30, 40));
    assertFalse(ranges.contains(19, 31));
    assertFalse(ranges.contains(40, 41));
  }

  @Test
  void isASet() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      RowRanges ranges = new RowRanges();
      BitSet rows = new BitSet();
      for (int i = 0; i < 40; i++) {
        int from = random.nextInt(100);
        int until = from + 1 + random.nextInt(20);
        ranges.add(
            from,
            until,
            (a, b) -> {
              for (long row = a; row < b; row++) {
                assertFalse(rows.get((int) row), "told twice");
                rows.set((int) row);
              }
            });
        assertEquals(rows.cardinality(), size(ranges));
        assertEquals(until, rows.nextClearBit(from) >= until ? until : -1, "all of it is in");
      }
    }
  }
}
