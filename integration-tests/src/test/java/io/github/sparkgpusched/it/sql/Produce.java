package io.github.sparkgpusched.it.sql;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.types.DataType;

/** A random value of a type, or null, from a seed; two forms that must agree. */
public final class Produce implements UDF1<Long, Object>, GpuUdf {
  private static final long serialVersionUID = 1L;

  private final DataType type;
  private final boolean batch;
  private final boolean java8;

  /**
   * @param type of the result
   * @param batch whether it has a batch method
   * @param java8 whether dates and timestamps are of {@code java.time} or of {@code java.sql}
   */
  public Produce(DataType type, boolean batch, boolean java8) {
    this.type = type;
    this.batch = batch;
    this.java8 = java8;
  }

  @Override
  public Object call(Long seed) {
    Object value = seed == null ? null : value(seed);
    if (!java8 && value instanceof LocalDate date) {
      return DateTimeUtils.toJavaDate((int) date.toEpochDay());
    } else if (!java8 && value instanceof Instant instant) {
      return DateTimeUtils.toJavaTimestamp(DateTimeUtils.instantToMicros(instant));
    }
    return value;
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return batch ? Optional.of(this::produce) : Optional.empty();
  }

  private Object value(long seed) {
    return new RandomValues(seed).orNull(type);
  }

  private void produce(Columns arguments, int from, int until, ResultColumn out) {
    for (int row = from; row < until; row++) {
      Object value = value(arguments.longs(0).get(row));
      if (value instanceof Boolean b) {
        out.setBoolean(row, b);
      } else if (value instanceof Float f) {
        out.setFloat(row, f);
      } else if (value instanceof Double d) {
        out.setDouble(row, d);
      } else if (value instanceof Long l) {
        out.setLong(row, l);
      } else if (value instanceof Instant instant) {
        out.setLong(row, DateTimeUtils.instantToMicros(instant));
      } else if (value instanceof LocalDate date) {
        out.setInt(row, (int) date.toEpochDay());
      } else if (value instanceof Number number) {
        out.setInt(row, number.intValue());
      } else if (value instanceof String string) {
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        out.setBytes(row, utf8, 0, utf8.length);
      }
    }
  }
}
