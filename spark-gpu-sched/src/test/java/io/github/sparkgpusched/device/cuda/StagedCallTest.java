package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.CallOnDevice;
import java.util.ArrayList;
import java.util.List;
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

  /** The host forms compute such rows of all calls; a null of theirs writes nothing. */
  @Test
  void rowsThatOneCallLeavesAreNullInAllUntilTheHostHasThem() {
    int rows = 20;
    List<Batch> batches = List.of(lengths(rows), lengths(rows));
    List<CallOnDevice> calls = batches.stream().map(Batch::begin).toList();
    List<StagedCall> staged =
        calls.stream().map(call -> new StagedCall(call.columns(), 0, rows, 0)).toList();
    long bytes = staged.get(0).resultBytes();
    long memory = Platform.allocateMemory(2 * bytes);
    try {
      for (int row = 0; row < rows; row++) {
        Platform.putInt(null, memory + 4L * row, row);
        Platform.putInt(null, memory + bytes + 4L * row, 100 + row);
        long states = memory + StagedCall.aligned(4L * rows);
        Platform.putByte(null, states + row, row % 7 == 3 ? StagedCall.FOR_HOST : 1);
        Platform.putByte(null, states + bytes + row, (byte) 1);
      }
      List<String> left = new ArrayList<>();
      BlockResults.publish(
          staged, calls, memory, 2, 18, (from, until) -> left.add(from + " to " + until));
      assertEquals(List.of("3 to 4", "10 to 11", "17 to 18"), left);
      for (int row = 0; row < rows; row++) {
        boolean there = row >= 2 && row < 18 && row % 7 != 3;
        for (int i = 0; i < 2; i++) {
          BatchColumn result = calls.get(i).columns().result();
          assertEquals(!there, result.isNull(row), "row " + row + " of call " + i);
          assertTrue(
              !there || Platform.getInt(null, result.valueAddress(row)) == 100 * i + row,
              "row " + row + " of call " + i);
        }
      }
    } finally {
      Platform.freeMemory(memory);
      batches.forEach(Batch::close);
    }
  }

  private static Batch lengths(int rows) {
    return new Batch(rows, new Length(), "length", DataTypes.IntegerType, DataTypes.StringType)
        .argument(row -> new byte[row]);
  }
}
