package io.github.sparkgpusched.columnar;

import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;

/**
 * Rows of columns as bytes, for another process whose memory has the same byte order: a byte that
 * is 1 if all rows are {@linkplain BatchColumn#repeats the same} and one of them is there, and else
 * 0; a byte a row that says whether it is valid, then the values; of strings, binaries and arrays
 * first the lengths (a null has none), then the bytes of each, padded to a multiple of 8. In place
 * of the length of a value that the receiver {@linkplain SentValues keeps} is -1 - its number.
 *
 * <p>An instance reads such columns into a batch, and keeps their variable-width data. Not
 * thread-safe. Its memory ends with that of the batch.
 */
public final class ColumnCodec {
  private final ByteHeap heap;
  private final KeptValues kept;

  /** Of the values that are kept. */
  private long batch;

  /**
   * @param memory where variable-width data is kept
   */
  public ColumnCodec(BatchMemory memory) {
    this.heap = new ByteHeap(memory);
    this.kept = new KeptValues(memory);
  }

  /**
   * Bytes that rows {@code [from, until)} of a column take.
   *
   * @param sent what the receiver keeps; null if it keeps nothing
   */
  public static long bytes(BatchColumn column, int from, int until, SentValues sent) {
    if (repeats(column, from, until)) {
      return bytesOfRows(column, from, from + 1, sent);
    }
    return bytesOfRows(column, from, until, sent);
  }

  private static boolean repeats(BatchColumn column, int from, int until) {
    return column.repeats() && until > from;
  }

  private static long bytesOfRows(BatchColumn column, int from, int until, SentValues sent) {
    long rows = (long) until - from;
    if (!column.type.isVariableWidth()) {
      return 1 + rows * (1L + column.type.width);
    }
    long bytes = 1 + rows * (1L + Integer.BYTES);
    for (int row = from; row < until; row++) {
      int size = column.isNull(row) ? 0 : column.dataBytes(row);
      bytes += sent == null || sent.add(column.dataAddress(row), size) ? padded(size) : 0;
    }
    return bytes;
  }

  private static int padded(int bytes) {
    return (bytes + 7) & ~7;
  }

  /**
   * Writes rows {@code [from, until)} of a column to a buffer that is an array.
   *
   * @param sent what the receiver keeps; null if it keeps nothing
   */
  public static void write(
      BatchColumn column, int from, int until, SentValues sent, ByteBuffer out) {
    boolean repeats = repeats(column, from, until);
    out.put((byte) (repeats ? 1 : 0));
    writeRows(column, from, repeats ? from + 1 : until, sent, out);
  }

  private static void writeRows(
      BatchColumn column, int from, int until, SentValues sent, ByteBuffer out) {
    int rows = until - from;
    put(column.validityAddress(from), rows, out);
    if (!column.type.isVariableWidth()) {
      put(column.valueAddress(from), rows * column.type.width, out);
      return;
    }
    int lengths = out.position();
    for (int row = from; row < until; row++) {
      int bytes = column.isNull(row) ? 0 : column.dataBytes(row);
      int number = sent == null ? -1 : sent.reference(column.dataAddress(row), bytes);
      out.putInt(number < 0 ? bytes : -1 - number);
    }
    for (int row = from; row < until; row++) {
      int bytes = Math.max(0, out.getInt(lengths + Integer.BYTES * (row - from)));
      put(column.dataAddress(row), bytes, out);
      out.position(out.position() + padded(bytes) - bytes);
    }
  }

  private static void put(long address, int bytes, ByteBuffer out) {
    if (bytes > out.remaining()) {
      throw new IllegalStateException(bytes + " bytes do not fit into " + out.remaining());
    }
    if (bytes > 0) {
      long offset = (long) Platform.BYTE_ARRAY_OFFSET + out.arrayOffset() + out.position();
      Platform.copyMemory(null, address, out.array(), offset, bytes);
      out.position(out.position() + bytes);
    }
  }

  private static void get(ByteBuffer in, int at, long address, int bytes) {
    if (bytes > 0) {
      long offset = (long) Platform.BYTE_ARRAY_OFFSET + in.arrayOffset() + at;
      Platform.copyMemory(in.array(), offset, null, address, bytes);
    }
  }

  /**
   * Reads a column.
   *
   * @param in an array, at the column's first byte; afterwards behind its last
   * @throws BatchMemory.Refused if there is no memory
   * @throws UnknownValueException if a value was never sent, or is not kept any more
   * @throws IllegalArgumentException if the bytes are no such column
   */
  public void read(ByteBuffer in, BatchColumn column, int rows) throws BatchMemory.Refused {
    Part part = part(in, column.type, rows, true);
    column.reserve(rows);
    column.dontRepeat();
    readRows(in, part, column);
    if (part.rows < rows) {
      column.repeatFirst(rows);
    }
  }

  private void readRows(ByteBuffer in, Part part, BatchColumn column) throws BatchMemory.Refused {
    int rows = part.rows;
    boolean nulls = false;
    for (int row = 0; row < rows; row++) {
      boolean isNull = in.get(part.validity + row) == 0;
      nulls |= isNull;
      if (isNull) {
        column.setNull(row);
      } else {
        column.setValid(row);
      }
    }
    column.setMayHaveNulls(nulls);
    if (!column.type.isVariableWidth()) {
      get(in, part.values, column.valueAddress(0), rows * column.type.width);
      return;
    }
    int at = part.data;
    for (int row = 0; row < rows; row++) {
      int bytes = in.getInt(part.values + Integer.BYTES * row);
      if (bytes < 0) {
        KeptValues.Value value = kept.get(-1 - bytes);
        column.putData(row, value.address(), value.bytes());
      } else {
        long keep = kept.keep(bytes);
        long address = keep == 0 ? heap.allocate(Math.max(8, bytes)) : keep;
        get(in, at, address, bytes);
        column.putData(row, address, bytes);
        at += padded(bytes);
      }
      if (column.type == ColumnType.ARRAY && !column.isNull(row)) {
        checkArray(column, row, ((ArrayType) column.dataType).elementType());
      }
    }
  }

  /** That an array's elements are in its bytes: nobody who reads them looks. */
  private static void checkArray(BatchColumn column, int row, DataType element) {
    int bytes = column.dataBytes(row);
    long length = bytes < Long.BYTES ? -1 : Platform.getLong(null, column.dataAddress(row));
    int width = ColumnType.ofFixedWidth(element).orElseThrow().width;
    if (length < 0
        || length > bytes
        || UnsafeArrayData.calculateHeaderPortionInBytes(length) + length * width > bytes) {
      throw new IllegalArgumentException("an array of " + length + " in " + bytes + " bytes");
    }
  }

  /**
   * Forgets the variable-width data of all columns that were read, but for what is kept.
   *
   * @param of the batch that is read next: of another one nothing is kept
   */
  public void reset(long of) {
    heap.reset();
    if (of != batch) {
      kept.clear();
      batch = of;
    }
  }

  /**
   * That all of the batch's values that are kept on the other side are kept here, and no more: else
   * a number would mean one value there and another one here.
   *
   * @param written how many the sender has {@linkplain SentValues#written written} so far
   * @throws UnknownValueException if some were lost on the way, or came and were not read
   */
  public void checkKept(int written) {
    if (kept.size() != written) {
      throw new UnknownValueException(written, kept.size());
    }
  }

  /**
   * Copies some rows of a result column.
   *
   * @param in at the column's first byte; afterwards behind its last
   * @param rows of the column
   * @param column where they go to
   * @param out writes strings there
   * @param firstRow the row of {@code column} that the first one is
   * @param from the first of {@code column} to be written; what is null there already stays so
   * @param until the row after the last
   */
  public static void copy(
      ByteBuffer in,
      int rows,
      BatchColumn column,
      ResultWriter out,
      int firstRow,
      int from,
      int until) {
    Part part = part(in, column.type, rows, false);
    int width = column.type.width;
    int at = part.data;
    out.beginRange(from, until);
    for (int i = 0; i < rows; i++) {
      int row = firstRow + i;
      int bytes = column.type.isVariableWidth() ? in.getInt(part.values + Integer.BYTES * i) : 0;
      if (row >= from && row < until && in.get(part.validity + i) != 0) {
        if (column.type.isVariableWidth()) {
          out.setBytes(row, in.array(), in.arrayOffset() + at, bytes);
        } else {
          get(in, part.values + i * width, column.valueAddress(row), width);
          column.setValid(row);
        }
      }
      at += padded(bytes);
    }
  }

  /**
   * Goes behind the last byte of a column.
   *
   * @throws IllegalArgumentException if the bytes are no such column
   */
  public static void skip(ByteBuffer in, BatchColumn column, int rows) {
    part(in, column.type, rows, false);
  }

  /** Where a column's parts are, and that they are all there. */
  private record Part(int rows, int validity, int values, int data) {}

  /**
   * @param isArgument whether there may be values that are kept, and one row for all
   */
  private static Part part(ByteBuffer in, ColumnType type, int all, boolean isArgument) {
    long validity = in.position() + 1L;
    check(validity, in);
    boolean repeats = in.get(in.position()) != 0;
    if (repeats && (!isArgument || all == 0)) {
      throw new IllegalArgumentException("one row for " + all);
    }
    int rows = repeats ? 1 : all;
    long values = validity + rows;
    long data = values + (long) rows * (type.isVariableWidth() ? Integer.BYTES : type.width);
    check(data, in);
    long end = data;
    if (type.isVariableWidth()) {
      for (int row = 0; row < rows; row++) {
        int bytes = in.getInt((int) values + Integer.BYTES * row);
        if (bytes < 0 && !isArgument) {
          throw new IllegalArgumentException("a value of " + bytes + " bytes");
        }
        end += (Math.max(0, bytes) + 7L) & ~7L;
      }
      check(end, in);
    }
    in.position((int) end);
    return new Part(rows, (int) validity, (int) values, (int) data);
  }

  private static void check(long end, ByteBuffer in) {
    if (end > in.limit()) {
      throw new IllegalArgumentException("a column that ends at byte " + end + " of " + in.limit());
    }
  }
}
