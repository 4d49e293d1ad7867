package io.github.sparkgpusched.it.sql;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampType;

/** Random values of SQL types, with what is special of each type coming up often. */
public final class RandomValues {
  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    Double.NaN,
    Double.longBitsToDouble(0x7ff8000000000001L),
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    -1.5
  };
  private static final String[] STRINGS = {
    "", " ", "a", "Zürich", "東京", "🙂🙃", "e\u0301", "\u0000", "a\nb", "x".repeat(3000)
  };

  /** In years 1 to 9999, as far as both of Java's kinds of dates agree. */
  private static final String[] DATES = {
    "0001-01-01", "1582-10-15", "1969-12-31", "1970-01-01", "2024-02-29", "9999-12-31"
  };

  private final Random random;

  public RandomValues(long seed) {
    random = new Random(seed);
  }

  /** A value, null one time in eight. */
  public Object orNull(DataType type) {
    return random.nextInt(8) == 0 ? null : value(type);
  }

  /** A value, in the form that a row of {@code createDataFrame} has with Java 8 dates. */
  Object value(DataType type) {
    boolean special = random.nextInt(4) == 0;
    if (type instanceof BooleanType) {
      return random.nextBoolean();
    } else if (type instanceof ByteType) {
      return special ? (byte) -128 : (byte) random.nextInt();
    } else if (type instanceof ShortType) {
      return special ? Short.MIN_VALUE : (short) random.nextInt();
    } else if (type instanceof IntegerType) {
      return special ? Integer.MIN_VALUE + random.nextInt(2) : random.nextInt();
    } else if (type instanceof LongType) {
      return special ? Long.MAX_VALUE - random.nextInt(2) : random.nextLong();
    } else if (type instanceof FloatType) {
      return special ? (float) DOUBLES[random.nextInt(DOUBLES.length)] : anyFloat();
    } else if (type instanceof DoubleType) {
      return special
          ? DOUBLES[random.nextInt(DOUBLES.length)]
          : random.nextDouble() * Math.pow(10, random.nextInt(600) - 300);
    } else if (type instanceof DateType) {
      return special
          ? LocalDate.parse(DATES[random.nextInt(DATES.length)])
          : LocalDate.ofEpochDay(random.nextInt(40000) - 10000);
    } else if (type instanceof TimestampType) {
      return instant(
          special
              ? random.nextInt(3) - 1
              : random.nextLong(-TimeUnit.DAYS.toMicros(20000), TimeUnit.DAYS.toMicros(40000)));
    } else if (type instanceof BinaryType) {
      byte[] bytes = new byte[special ? 0 : random.nextInt(40)];
      random.nextBytes(bytes);
      return bytes;
    } else if (type instanceof ArrayType array) {
      return array(array.elementType(), special ? 0 : random.nextInt(100));
    }
    return special ? STRINGS[random.nextInt(STRINGS.length)] : text();
  }

  private List<Object> array(DataType element, int length) {
    boolean nulls = random.nextBoolean();
    List<Object> elements = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      elements.add(nulls ? orNull(element) : value(element));
    }
    return elements;
  }

  private float anyFloat() {
    float value = Float.intBitsToFloat(random.nextInt());
    return Float.isNaN(value) ? 1.5f : value;
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(20); i > 0; i--) {
      text.appendCodePoint(
          random.nextInt(3) == 0 ? 0x1f600 + random.nextInt(64) : 32 + random.nextInt(400));
    }
    return text.toString();
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000L);
  }
}
