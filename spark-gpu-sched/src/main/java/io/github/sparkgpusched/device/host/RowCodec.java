package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.ResultWriter;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Function1;

/**
 * Between columns and the Java objects that Spark's own row-wise UDFs see, by Spark's own
 * converters.
 */
final class RowCodec {
  private RowCodec() {}

  /** Boxes arguments of a SQL type as Spark does. */
  static ArgumentReader reader(DataType type) {
    if (type instanceof BooleanType) {
      return BatchColumn::getBoolean;
    } else if (type instanceof ByteType) {
      return BatchColumn::getByte;
    } else if (type instanceof ShortType) {
      return BatchColumn::getShort;
    } else if (type instanceof IntegerType) {
      return BatchColumn::getInt;
    } else if (type instanceof LongType) {
      return BatchColumn::getLong;
    } else if (type instanceof FloatType) {
      return BatchColumn::getFloat;
    } else if (type instanceof DoubleType) {
      return BatchColumn::getDouble;
    } else if (type instanceof StringType) {
      return (column, row) -> column.getUtf8(row).toString();
    }
    // Dates and timestamps (java.sql or java.time, as the session says), binaries, arrays.
    Function1<Object, Object> converter = CatalystTypeConverters.createToScalaConverter(type);
    if (type instanceof DateType) {
      return (column, row) -> converter.apply(column.getInt(row));
    } else if (type instanceof TimestampType) {
      return (column, row) -> converter.apply(column.getLong(row));
    }
    return (column, row) -> converter.apply(column.getCatalystValue(row));
  }

  /** Takes what a UDF returned. */
  @FunctionalInterface
  interface ResultSetter {
    void set(ResultWriter out, int row, Object result);
  }

  /**
   * Stores results of a SQL type as Spark does.
   *
   * @return a setter that throws ClassCastException for a result of another type
   */
  static ResultSetter setter(DataType type) {
    if (type instanceof BooleanType) {
      return (out, row, result) -> out.setBoolean(row, (Boolean) result);
    } else if (type instanceof ByteType) {
      return (out, row, result) -> out.setInt(row, (Byte) result);
    } else if (type instanceof ShortType) {
      return (out, row, result) -> out.setInt(row, (Short) result);
    } else if (type instanceof IntegerType) {
      return (out, row, result) -> out.setInt(row, (Integer) result);
    } else if (type instanceof LongType) {
      return (out, row, result) -> out.setLong(row, (Long) result);
    } else if (type instanceof FloatType) {
      return (out, row, result) -> out.setFloat(row, (Float) result);
    } else if (type instanceof DoubleType) {
      return (out, row, result) -> out.setDouble(row, (Double) result);
    }
    Function1<Object, Object> converter = CatalystTypeConverters.createToCatalystConverter(type);
    if (type instanceof DateType) {
      return (out, row, result) -> out.setInt(row, (Integer) converter.apply(result));
    } else if (type instanceof TimestampType) {
      return (out, row, result) -> out.setLong(row, (Long) converter.apply(result));
    } else if (type instanceof StringType) {
      return (out, row, result) -> {
        byte[] utf8 = ((UTF8String) converter.apply(result)).getBytes();
        out.setBytes(row, utf8, 0, utf8.length);
      };
    }
    throw new IllegalArgumentException("no results of type " + type.simpleString());
  }
}
