package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.columnar.ColumnType;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
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
    ColumnType layout = ColumnType.ofArgument(type).orElseThrow();
    if (layout == ColumnType.INT) {
      return (column, row) -> converter.apply(column.getInt(row));
    } else if (layout == ColumnType.LONG) {
      return (column, row) -> converter.apply(column.getLong(row));
    }
    return (column, row) -> converter.apply(column.getCatalystValue(row));
  }

  /** Stores dates, timestamps and strings. */
  static ResultSetter setter(DataType type) {
    Function1<Object, Object> converter = CatalystTypeConverters.createToCatalystConverter(type);
    ColumnType layout = ColumnType.ofResult(type).orElseThrow();
    return (out, row, result) -> {
      Object value;
      try {
        value = converter.apply(result);
      } catch (RuntimeException e) {
        throw new RowLoop.WrongResult(result, e);
      }
      if (layout == ColumnType.INT) {
        out.setInt(row, (Integer) value);
      } else if (layout == ColumnType.LONG) {
        out.setLong(row, (Long) value);
      } else {
        byte[] utf8 = ((UTF8String) value).getBytes();
        out.setBytes(row, utf8, 0, utf8.length);
      }
    };
  }
}
