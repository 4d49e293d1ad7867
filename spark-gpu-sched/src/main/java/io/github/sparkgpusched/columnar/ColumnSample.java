package io.github.sparkgpusched.columnar;

import java.util.HashSet;
import java.util.Set;

/** How long a column's strings or arrays are, as some of its rows say. */
final class ColumnSample {
  /** About so many rows say how long strings and arrays are. */
  private static final int SAMPLED_ROWS = 64;

  /** So many, one after the other, say how often values repeat. */
  private static final int FIRST_ROWS = 1024;

  private ColumnSample() {}

  static double dataBytesPerRow(BatchColumn column, int rows) {
    long dataBytes = 0;
    int sampled = 0;
    boolean large = false;
    int every = Math.max(1, rows / SAMPLED_ROWS);
    for (int row = 0; row < rows; row += every) {
      int bytes = column.isNull(row) ? 0 : column.dataBytes(row);
      large |= bytes >= ValueHeap.LARGE_BYTES;
      dataBytes += bytes;
      sampled++;
    }
    return large ? bytesOfFirstRows(column, rows) : (double) dataBytes / Math.max(1, sampled);
  }

  /** Large values may be there once for many rows, which a few rows far apart do not tell. */
  private static double bytesOfFirstRows(BatchColumn column, int rows) {
    int first = Math.min(rows, FIRST_ROWS);
    Set<Long> addresses = new HashSet<>();
    long bytes = 0;
    for (int row = 0; row < first; row++) {
      bytes +=
          !column.isNull(row) && addresses.add(column.dataAddress(row)) ? column.dataBytes(row) : 0;
    }
    return (double) bytes / first;
  }
}
