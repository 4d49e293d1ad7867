package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.BatchColumn;
import org.apache.spark.unsafe.Platform;

/** Strings or arrays that are staged: an (offset, size) pair a row, and the bytes. */
final class StagedLists {
  /** Bytes of a row's (offset, size) pair. */
  static final int EXTENT_BYTES = 16;

  /**
   * So large a value is in one place of the batch, however many rows have it ({@code ValueHeap}).
   */
  private static final int LARGE_BYTES = 1024;

  private static final int PLACES = 256;

  /**
   * Where large values were copied to that rows before had: a place each by their address, which
   * the last one has.
   */
  private static final class Copied {
    private final long[] addresses = new long[PLACES];
    private final int[] sizes = new int[PLACES];
    private final long[] offsets = new long[PLACES];

    /** Where it was copied to, or -1. */
    long find(long address, int size) {
      int place = place(address);
      return addresses[place] == address && sizes[place] == size ? offsets[place] : -1;
    }

    void put(long address, int size, long offset) {
      int place = place(address);
      addresses[place] = address;
      sizes[place] = size;
      offsets[place] = offset;
    }

    private static int place(long address) {
      return (int) ((address * 0x9E3779B97F4A7C15L) >>> 56); // Fibonacci hashing, Knuth, 6.4
    }
  }

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
    Copied copied = null;
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
          boolean large = size >= LARGE_BYTES;
          if (large && copied == null) {
            copied = new Copied();
          }
          long before = large ? copied.find(address, size) : -1;
          lastOffset = before >= 0 ? before : end;
          if (before < 0) {
            if (extents != 0) {
              RowBytes.copy(address, heap + end, size);
            }
            if (large) {
              copied.put(address, size, end);
            }
            end += (size + 7L) & ~7L;
          }
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
