package io.github.sparkgpusched.columnar;

import io.github.sparkgpusched.api.ArrayColumn;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.unsafe.Platform;

/**
 * A column of arrays in Spark's {@code UnsafeArrayData} format: the number of elements (8 bytes), a
 * null bit an element in 8-byte words, then the elements, each in its own width.
 */
final class ArrayView implements ArrayColumn {
  private final BatchColumn column;
  private final ArgumentColumns owner;
  private final ColumnType element;

  ArrayView(BatchColumn column, ArgumentColumns owner) {
    this.column = column;
    this.owner = owner;
    this.element =
        ColumnType.ofFixedWidth(((ArrayType) column.dataType).elementType()).orElseThrow();
  }

  @Override
  public boolean isNull(int row) {
    return column.isNull(Objects.checkIndex(row, owner.rows()));
  }

  @Override
  public int length(int row) {
    return isNull(row) ? 0 : (int) Platform.getLong(null, column.dataAddress(row));
  }

  @Override
  public boolean isNull(int row, int index) {
    Objects.checkIndex(index, length(row));
    long word = Platform.getLong(null, column.dataAddress(row) + 8 + (index >> 6) * 8L);
    return (word >>> (index & 63) & 1) != 0;
  }

  @Override
  public boolean hasNullElement(int row) {
    int length = length(row);
    long address = column.dataAddress(row) + 8;
    for (int i = 0; i < length; i += 64) {
      if (Platform.getLong(null, address + (i >> 6) * 8L) != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean getBoolean(int row, int index) {
    require(element == ColumnType.BOOLEAN, "booleans");
    return Platform.getByte(null, address(row, index)) != 0;
  }

  @Override
  public int getInt(int row, int index) {
    long address = address(row, index);
    return switch (element) {
      case BYTE -> Platform.getByte(null, address);
      case SHORT -> Platform.getShort(null, address);
      case INT -> Platform.getInt(null, address);
      default -> throw mismatch("bytes, shorts, ints or dates");
    };
  }

  @Override
  public long getLong(int row, int index) {
    require(element == ColumnType.LONG, "longs or timestamps");
    return Platform.getLong(null, address(row, index));
  }

  @Override
  public float getFloat(int row, int index) {
    require(element == ColumnType.FLOAT, "floats");
    return Platform.getFloat(null, address(row, index));
  }

  @Override
  public double getDouble(int row, int index) {
    require(element == ColumnType.DOUBLE, "doubles");
    return Platform.getDouble(null, address(row, index));
  }

  @Override
  public double[] doubles(int row, double[] reuse) {
    require(element == ColumnType.DOUBLE, "doubles");
    int length = length(row);
    double[] into = reuse != null && reuse.length >= length ? reuse : new double[length];
    if (length > 0) {
      OffHeap.copyTo(address(row, 0), into, length);
    }
    return into;
  }

  private long address(int row, int index) {
    int length = length(row);
    Objects.checkIndex(index, length);
    return column.dataAddress(row)
        + UnsafeArrayData.calculateHeaderPortionInBytes(length)
        + (long) index * element.width;
  }

  private void require(boolean matches, String wanted) {
    if (!matches) {
      throw mismatch(wanted);
    }
  }

  private IllegalArgumentException mismatch(String wanted) {
    return new IllegalArgumentException(
        "the column is of type "
            + column.dataType.simpleString()
            + ", but its elements are read as "
            + wanted
            + ": cast it in the query, or read it as what it is");
  }
}
