package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.HostColumnVectorCore;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;

/** Values of cuDF's columns in host memory, as Spark holds them. No state. */
final class HostValues {
  private HostValues() {}

  /** The class of a type's values, of those that a call may return. */
  static Class<?> boxOf(DataType type) {
    if (type instanceof BooleanType) {
      return Boolean.class;
    } else if (type instanceof ByteType) {
      return Byte.class;
    } else if (type instanceof ShortType) {
      return Short.class;
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return Integer.class;
    } else if (type instanceof FloatType) {
      return Float.class;
    } else if (type instanceof DoubleType) {
      return Double.class;
    }
    return type instanceof StringType ? UTF8String.class : Long.class;
  }

  /** A row's value, or null. */
  static Object get(HostColumnVectorCore column, DataType type, long row) {
    if (column.isNull(row)) {
      return null;
    } else if (type instanceof StringType) {
      return UTF8String.fromBytes(column.getUTF8(row));
    } else if (type instanceof BinaryType) {
      return column.getBytesFromList(row);
    } else if (type instanceof ArrayType array) {
      return array(column, array.elementType(), row);
    }
    Class<?> box = boxOf(type);
    if (box == Boolean.class) {
      return column.getBoolean(row);
    } else if (box == Byte.class) {
      return column.getByte(row);
    } else if (box == Short.class) {
      return column.getShort(row);
    } else if (box == Integer.class) {
      return column.getInt(row);
    } else if (box == Float.class) {
      return column.getFloat(row);
    } else if (box == Double.class) {
      return column.getDouble(row);
    }
    return column.getLong(row);
  }

  private static GenericArrayData array(HostColumnVectorCore column, DataType type, long row) {
    HostColumnVectorCore elements = column.getChildColumnView(0);
    long begin = column.getStartListOffset(row);
    Object[] values = new Object[(int) (column.getEndListOffset(row) - begin)];
    for (int i = 0; i < values.length; i++) {
      values[i] = get(elements, type, begin + i);
    }
    return new GenericArrayData(values);
  }
}
