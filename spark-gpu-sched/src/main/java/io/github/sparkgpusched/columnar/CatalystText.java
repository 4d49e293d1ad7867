package io.github.sparkgpusched.columnar;

import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/** Values for messages. */
public final class CatalystText {
  private CatalystText() {}

  /**
   * A value as users know it.
   *
   * @param value as Spark holds it inside, or null
   */
  public static String of(Object value, DataType type) {
    if (value instanceof Integer days && type instanceof DateType) {
      return LocalDate.ofEpochDay(days).toString();
    } else if (value instanceof Long micros && type instanceof TimestampType) {
      return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    } else if (value instanceof byte[] binary) {
      return binary.length + " bytes";
    } else if (value instanceof UTF8String text) {
      return "'" + text + "'";
    } else if (value instanceof ArrayData array) {
      return "array of " + array.numElements();
    }
    return String.valueOf(value);
  }
}
