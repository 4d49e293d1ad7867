package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.Batch;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

class StagedCallTest {
  private static final int ROWS = 1000;
  private static final int LARGE = 100_000;

  private static final class Length implements UDF1<String, Integer>, GpuUdf {
    @Override
    public Integer call(String text) {
      return text.length();
    }
  }

  /** A join brings two polygons, by turns: each is staged once, and each row finds its own. */
  @Test
  void largeValuesAreStagedOnceWhereverTheirRowsAre() {
    byte[][] values = {new byte[LARGE], new byte[LARGE]};
    values[1][7] = 1;
    try (Batch batch =
        new Batch(ROWS, new Length(), "length", DataTypes.IntegerType, DataTypes.StringType)
            .argument(row -> values[row % 2])) {
      StagedCall staged = new StagedCall(batch.begin().columns(), 0, ROWS, 0);
      assertTrue(staged.bytes() < 3 * LARGE, staged.bytes() + " bytes");
      long memory = Platform.allocateMemory(staged.bytes());
      try {
        staged.fill(memory);
        staged.fillTable(memory, 0, memory, 0);
        long column = memory + 2L * StagedCall.COLUMN_BYTES; // behind the result and the guard
        long extents = Platform.getLong(null, column);
        long heap = Platform.getLong(null, column + 16);
        for (int row = 0; row < ROWS; row++) {
          long extent = extents + (long) StagedLists.EXTENT_BYTES * row;
          assertEquals(LARGE, Platform.getLong(null, extent + 8));
          long value = heap + Platform.getLong(null, extent);
          assertEquals(row % 2, Platform.getByte(null, value + 7), "row " + row);
        }
      } finally {
        Platform.freeMemory(memory);
      }
    }
  }
}
