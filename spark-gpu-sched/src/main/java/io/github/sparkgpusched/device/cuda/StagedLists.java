package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.BatchColumn;
import org.apache.spark.unsafe.Platform;

/** Strings or arrays that are staged: an (offset, size) pair a row, and the bytes. */
final class StagedLists {
  /** Bytes of a row's (offset, size) pair. */
  static final int EXTENT_BYTES = 16;

  private StagedLists() {}

  /** Bytes that the rows take besides their pairs. */
  static long bytes(BatchColumn column, int from, int rows) {
    return copy(column, from, rows, 0, 0);
  }

  /**
   * Copies rows, or only finds out their size.
   *
   * @param extents where pairs go; 0 to copy nothing
   * @param heap where the bytes go
   * @return bytes that they take
   */
  static long copy(BatchColumn column, int from, int rows, long extents, long heap) {
    long end = 0;
    long lastAddress = 0;
    int lastBytes = 0;
    long lastOffset = 0;
    for (int i = 0; i < rows; i++) {
      int size = 0;
      if (!column.mayHaveNulls() || !column.isNull(from + i)) {
        long address = column.dataAddress(from + i);
        size = column.dataBytes(from + i);
        if (address != lastAddress || size != lastBytes) {
          lastAddress = address;
          lastBytes = size;
          lastOffset = end;
          if (extents != 0) {
            RowBytes.copy(address, heap + end, size);
          }
          end += (size + 7L) & ~7L;
        }
      }
      if (extents != 0) {
        Platform.putLong(null, extents + (long) EXTENT_BYTES * i, lastOffset);
        Platform.putLong(null, extents + (long) EXTENT_BYTES * i + 8, size);
      }
    }
    return end;
  }
}
