package io.github.sparkgpusched.device.host;

import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Function1;

/**
 * The types that Spark converts between columns and the Java objects of row-wise UDFs, by Spark's
 * own converters.
 */
final class RowCodec {
  private RowCodec() {}

  /**
   * Reads strings, dates and timestamps (java.sql or java.time, as the session says), binaries,
   * arrays.
   */
  static ArgumentReader reader(DataType type) {
    if (type instanceof StringType) {
      return (column, row) -> column.getUtf8(row).toString();
    }
    Function1<Object, Object> converter = CatalystTypeConverters.createToScalaConverter(type);
    if (type instanceof DateType) {
      return (column, row) -> converter.apply(column.getInt(row));
    } else if (type instanceof TimestampType) {
      return (column, row) -> converter.apply(column.getLong(row));
    }
    return (column, row) -> converter.apply(column.getCatalystValue(row));
  }

  /** Stores dates, timestamps and strings. */
  static ResultSetter setter(DataType type) {
    Function1<Object, Object> converter = CatalystTypeConverters.createToCatalystConverter(type);
    return (out, row, result) -> {
      Object value;
      try {
        value = converter.apply(result);
      } catch (RuntimeException e) {
        throw new RowLoop.WrongResult(result, e);
      }
      if (type instanceof DateType) {
        out.setInt(row, (Integer) value);
      } else if (type instanceof TimestampType) {
        out.setLong(row, (Long) value);
      } else {
        byte[] utf8 = ((UTF8String) value).getBytes();
        out.setBytes(row, utf8, 0, utf8.length);
      }
    };
  }
}
