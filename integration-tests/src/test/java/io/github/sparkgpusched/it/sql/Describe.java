package io.github.sparkgpusched.it.sql;

import io.github.sparkgpusched.api.ArrayColumn;
import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.Optional;
import java.util.StringJoiner;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampType;
import scala.collection.Iterator;
import scala.collection.Seq;

/** Its argument as a text that tells every bit of it; two forms that must agree. */
public final class Describe implements UDF1<Object, String>, GpuUdf {
  private static final long serialVersionUID = 1L;

  private final DataType type;
  private final boolean batch;

  /**
   * @param type of the argument
   * @param batch whether it has a batch method
   */
  public Describe(DataType type, boolean batch) {
    this.type = type;
    this.batch = batch;
  }

  @Override
  public String call(Object value) {
    return value == null ? null : text(value);
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return batch ? Optional.of(this::describe) : Optional.empty();
  }

  private static String text(Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof Double d) {
      return Long.toHexString(Double.doubleToRawLongBits(d));
    } else if (value instanceof Float f) {
      return Integer.toHexString(Float.floatToRawIntBits(f));
    } else if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    } else if (value instanceof String string) {
      return HexFormat.of().formatHex(string.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof LocalDate date) {
      return String.valueOf(date.toEpochDay());
    } else if (value instanceof Date date) {
      return String.valueOf(DateTimeUtils.fromJavaDate(date));
    } else if (value instanceof Instant instant) {
      return String.valueOf(DateTimeUtils.instantToMicros(instant));
    } else if (value instanceof Timestamp timestamp) {
      return String.valueOf(DateTimeUtils.fromJavaTimestamp(timestamp));
    } else if (value instanceof Seq<?> seq) {
      StringJoiner texts = new StringJoiner(",", "[", "]");
      for (Iterator<?> each = seq.iterator(); each.hasNext(); ) {
        texts.add(text(each.next()));
      }
      return texts.toString();
    }
    return value.toString();
  }

  private void describe(Columns arguments, int from, int until, ResultColumn out) {
    for (int row = from; row < until; row++) {
      byte[] text = text(arguments, row).getBytes(StandardCharsets.UTF_8);
      out.setBytes(row, text, 0, text.length);
    }
  }

  private String text(Columns arguments, int row) {
    if (type instanceof BooleanType) {
      return text(arguments.booleans(0).get(row));
    } else if (type instanceof FloatType) {
      return text(arguments.floats(0).get(row));
    } else if (type instanceof DoubleType) {
      return text(arguments.doubles(0).get(row));
    } else if (type instanceof LongType || type instanceof TimestampType) {
      return text(arguments.longs(0).get(row));
    } else if (type instanceof StringType || type instanceof BinaryType) {
      return text(arguments.bytes(0).toBytes(row));
    } else if (type instanceof ArrayType array) {
      return text(arguments.arrays(0), array.elementType(), row);
    }
    return text(arguments.ints(0).get(row));
  }

  private static String text(ArrayColumn arrays, DataType element, int row) {
    StringJoiner texts = new StringJoiner(",", "[", "]");
    for (int i = 0; i < arrays.length(row); i++) {
      texts.add(arrays.isNull(row, i) ? "null" : text(element(arrays, element, row, i)));
    }
    return texts.toString();
  }

  private static Object element(ArrayColumn arrays, DataType type, int row, int i) {
    if (type instanceof BooleanType) {
      return arrays.getBoolean(row, i);
    } else if (type instanceof FloatType) {
      return arrays.getFloat(row, i);
    } else if (type instanceof DoubleType) {
      return arrays.getDouble(row, i);
    } else if (type instanceof LongType || type instanceof TimestampType) {
      return arrays.getLong(row, i);
    }
    return arrays.getInt(row, i);
  }
}
