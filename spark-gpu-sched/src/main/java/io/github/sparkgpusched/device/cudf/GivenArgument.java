package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import io.github.sparkgpusched.columnar.ColumnType;
import io.github.sparkgpusched.device.cuda.DeviceColumn;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;

/**
 * One argument of a call: a column of cuDF's, and what must be converted of it. Values of fixed
 * width stay where they are, and so do the bytes of strings and binaries. One thread's.
 */
final class GivenArgument implements AutoCloseable {
  /** Bytes of a row's extent (columns.cuh). */
  static final int EXTENT_BYTES = 16;

  /** With fewer characters no column has offsets of 8 bytes. */
  private static final long LARGE_BYTES =
      largeBytes(System.getenv("LIBCUDF_LARGE_STRINGS_THRESHOLD"));

  private final ColumnVector column;
  private final long rows;

  /** Elements of a LIST, as a binary is one, too; else null. */
  private final ColumnView elements;

  /** Of an array's element; 0 if it is none. */
  private final int elementWidth;

  private final boolean isVariableWidth;
  private final long validityAt;
  private final long extentsAt;
  private final long heapAt;

  /**
   * Looks at a column, and takes room in an evaluation's scratch memory.
   *
   * @param type the SQL type
   */
  GivenArgument(ColumnVector column, DataType type, Layout scratch) {
    this.column = column;
    this.rows = column.getRowCount();
    boolean isArray = type instanceof ArrayType;
    isVariableWidth = ColumnType.ofArgument(type).orElseThrow().isVariableWidth();
    elementWidth =
        isArray
            ? ColumnType.ofFixedWidth(((ArrayType) type).elementType()).orElseThrow().width()
            : 0;
    // Last of what can fail, as nobody else closes it then.
    elements = isArray || type instanceof BinaryType ? column.getChildColumnView(0) : null;
    validityAt = column.getValid() == null ? -1 : scratch.add(rows);
    extentsAt = isVariableWidth ? scratch.add(EXTENT_BYTES * rows) : -1;
    heapAt =
        isArray
            ? scratch.add(Converters.listBytes(rows, elements.getRowCount(), elementWidth))
            : -1;
  }

  /**
   * Queues the conversions, and gives the column as kernels want it.
   *
   * @param scratch where the evaluation's scratch memory is
   */
  DeviceColumn convert(Converters converters, long scratch)
      throws DeviceFailedException, JobRefusedException {
    long validity = 0;
    if (validityAt >= 0) {
      validity = scratch + validityAt;
      converters.unpack(address(column.getValid()), validity, rows);
    }
    if (!isVariableWidth) {
      return new DeviceColumn(address(column.getData()), validity, 0, 0);
    }
    long extents = scratch + extentsAt;
    long offsets = address(column.getOffsets());
    if (heapAt < 0) {
      BaseDeviceMemoryBuffer data = (elements == null ? column : elements).getData();
      int offsetBytes = elements == null ? offsetBytes(column, data) : Integer.BYTES;
      converters.extents(offsets, offsetBytes, extents, rows);
      return new DeviceColumn(extents, validity, address(data), 0);
    }
    converters.lists(
        offsets,
        address(elements.getData()),
        address(elements.getValid()),
        elementWidth,
        extents,
        scratch + heapAt,
        rows);
    return new DeviceColumn(extents, validity, scratch + heapAt, 0);
  }

  /**
   * Bytes of each offset of a column of strings: 4, or 8 where libcudf has made one with very many
   * characters. cuDF's Java classes do not say which it is, but how much memory all of it takes.
   *
   * @param data of the column
   */
  static int offsetBytes(ColumnVector strings, BaseDeviceMemoryBuffer data) {
    if (data == null || data.getLength() < LARGE_BYTES) {
      return Integer.BYTES;
    }
    BaseDeviceMemoryBuffer valid = strings.getValid();
    long others = data.getLength() + (valid == null ? 0 : valid.getLength());
    long longs = Long.BYTES * (strings.getRowCount() + 1);
    return strings.getDeviceMemorySize() - others < longs ? Integer.BYTES : Long.BYTES;
  }

  /** As libcudf reads its variable: what is no number, or too large, means the default. */
  static long largeBytes(String variable) {
    try {
      long bytes = variable == null ? 0 : Long.parseLong(variable.trim());
      return bytes > 0 && bytes < Integer.MAX_VALUE ? bytes : Integer.MAX_VALUE;
    } catch (NumberFormatException e) {
      return Integer.MAX_VALUE;
    }
  }

  /** Columns without a byte have no buffer. */
  private static long address(BaseDeviceMemoryBuffer buffer) {
    return buffer == null ? 0 : buffer.getAddress();
  }

  /** The column itself is the caller's. */
  @Override
  public void close() {
    if (elements != null) {
      elements.close();
    }
  }
}
