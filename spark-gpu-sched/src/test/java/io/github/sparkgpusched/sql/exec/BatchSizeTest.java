package io.github.sparkgpusched.sql.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchSizeTest {
  private static final long QUICK_NANOS = 999_999;
  private static final long SLOW_NANOS = 1_000_000;

  /** The rows of this batch and of those after it. */
  private static List<Integer> batches(BatchSize size, int count, long waveRows, long nanos) {
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(size.rows());
      size.grow(waveRows, nanos);
    }
    return rows;
  }

  @Test
  void theSecondIsLargeIfTheFirstWasQuick() {
    List<Integer> rows = List.of(64, 4096, 8192, 16384, 16384);
    assertEquals(rows, batches(new BatchSize(16384, false), 5, 0, QUICK_NANOS));
  }

  @Test
  void dearRowsBecomeMoreSlowly() {
    List<Integer> rows = List.of(64, 128, 256, 512);
    assertEquals(rows, batches(new BatchSize(16384, false), 4, 0, SLOW_NANOS));
    BatchSize size = new BatchSize(16384, false);
    size.grow(0, SLOW_NANOS);
    assertEquals(List.of(128, 256), batches(size, 2, 0, QUICK_NANOS), "only the first is judged");
  }

  @Test
  void belowALimitTheyBecomeMoreSlowly() {
    List<Integer> rows = List.of(64, 128, 256, 300, 300);
    assertEquals(rows, batches(new BatchSize(300, true), 5, 1000, QUICK_NANOS));
  }

  @Test
  void noneHasMoreRowsThanAreWanted() {
    assertEquals(List.of(10, 10), batches(new BatchSize(10, false), 2, 0, QUICK_NANOS));
    assertEquals(List.of(64, 1000, 1000), batches(new BatchSize(1000, false), 3, 0, QUICK_NANOS));
  }

  @Test
  void aDeviceGetsWhatFillsIt() {
    List<Integer> rows = List.of(64, 4096, 8192, 10_000, 10_000);
    assertEquals(rows, batches(new BatchSize(1000, false), 5, 10_000, QUICK_NANOS));
  }

  @Test
  void whatHadNoMemoryIsNotTriedAtOnce() {
    BatchSize size = new BatchSize(16384, false);
    size.halve(64);
    assertEquals(List.of(32, 64, 128), batches(size, 3, 0, QUICK_NANOS));
  }
}
