package io.github.sparkgpusched.schedule.strategy.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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

  @Test
  void tellsWhatWasNotThere() {
    RowRanges ranges = new RowRanges();
    assertEquals(List.of("10-20"), add(ranges, 10, 20));
    assertEquals(List.of(), add(ranges, 12, 18));
    assertEquals(List.of("5-10", "20-25"), add(ranges, 5, 25));
    assertEquals(List.of("30-40"), add(ranges, 30, 40));
    assertEquals(List.of("0-5", "25-30", "40-50"), add(ranges, 0, 50));
    assertEquals(50, ranges.rows());
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
        assertEquals(rows.cardinality(), ranges.rows());
        assertEquals(until, rows.nextClearBit(from) >= until ? until : -1, "all of it is in");
      }
    }
  }
}
