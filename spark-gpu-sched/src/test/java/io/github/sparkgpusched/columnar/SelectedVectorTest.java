package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.junit.jupiter.api.Test;

class SelectedVectorTest {
  /** From Spark 4.0 on, intervals of Arrow are no children. */
  @Test
  void intervalsOfArrow() {
    assumeTrue(
        Arrays.stream(ArrowColumnVector.class.getDeclaredMethods())
            .anyMatch(method -> method.getName().equals("getInterval")));
    try (BufferAllocator allocator = new RootAllocator();
        IntervalMonthDayNanoVector intervals =
            new IntervalMonthDayNanoVector("intervals", allocator)) {
      intervals.allocateNew(3);
      intervals.set(0, 1, 2, 3_000);
      intervals.setNull(1);
      intervals.set(2, -4, -5, -6_000);
      intervals.setValueCount(3);
      ArrowColumnVector all = new ArrowColumnVector(intervals);
      SelectedVector selected = new SelectedVector(all, new int[] {2, 1, 0});
      assertEquals(new CalendarInterval(-4, -5, -6), selected.getInterval(0));
      assertNull(selected.getInterval(1));
      assertEquals(new CalendarInterval(1, 2, 3), selected.getInterval(2));
    }
  }
}
