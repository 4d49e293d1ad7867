package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.ListType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

/** Values of SQL types by chance, and columns of cuDF's with them. */
final class Values {
  /** Longer than half of a string result's place on a GPU, now and then. */
  private static final int MOST_TEXT = 40;

  private static final int MOST_ELEMENTS = 70;

  private Values() {}

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Some values, as {@link TypeCase} wants them.
   *
   * @param nulls how many of ten are null
   */
  static List<Object> some(DataType type, int rows, int nulls, Random random) {
    List<Object> values = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      values.add(random.nextInt(10) < nulls ? null : one(type, random));
    }
    return values;
  }

  private static Object one(DataType type, Random random) {
    if (type instanceof BooleanType) {
      return random.nextBoolean();
    } else if (type instanceof ByteType) {
      return (byte) random.nextInt();
    } else if (type instanceof ShortType) {
      return (short) random.nextInt();
    } else if (type instanceof IntegerType) {
      return random.nextInt();
    } else if (type instanceof DateType) {
      return random.nextInt(40_000);
    } else if (type instanceof FloatType) {
      return random.nextFloat() * 1000;
    } else if (type instanceof DoubleType) {
      return random.nextGaussian();
    } else if (type instanceof StringType) {
      return text(random);
    } else if (type instanceof BinaryType) {
      byte[] bytes = new byte[random.nextInt(MOST_TEXT)];
      random.nextBytes(bytes);
      return bytes;
    } else if (type instanceof ArrayType array) {
      // Few have a null element: those are left to the Java form.
      return some(
          array.elementType(),
          random.nextInt(MOST_ELEMENTS),
          random.nextInt(20) == 0 ? 1 : 0,
          random);
    }
    return (long) random.nextInt();
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(MOST_TEXT);
    for (int i = 0; i < length; i++) {
      text.append(random.nextInt(8) == 0 ? 'é' : (char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  /** A column of such values on the device; the caller closes it. */
  static ColumnVector column(DataType type, List<Object> values) {
    try (HostColumnVector host = onHost(type, values)) {
      return host.copyToDevice();
    }
  }

  private static HostColumnVector onHost(DataType type, List<Object> values) {
    if (type instanceof BinaryType) {
      List<List<Byte>> lists = new ArrayList<>();
      for (Object value : values) {
        lists.add(value == null ? null : boxes((byte[]) value));
      }
      // As RAPIDS has them.
      return lists(DType.UINT8, lists);
    } else if (type instanceof ArrayType array) {
      return lists(dtype(array.elementType()), values);
    }
    try (HostColumnVector.ColumnBuilder builder =
        new HostColumnVector.ColumnBuilder(new BasicType(true, dtype(type)), values.size())) {
      values.forEach(value -> append(builder, value));
      return builder.build();
    }
  }

  private static List<Byte> boxes(byte[] bytes) {
    List<Byte> boxes = new ArrayList<>();
    for (byte b : bytes) {
      boxes.add(b);
    }
    return boxes;
  }

  @SuppressWarnings("unchecked")
  private static HostColumnVector lists(DType element, List<?> values) {
    return HostColumnVector.fromLists(
        new ListType(true, new BasicType(true, element)), values.toArray(List[]::new));
  }

  private static DType dtype(DataType type) {
    return CudfTypes.of(type);
  }

  private static void append(HostColumnVector.ColumnBuilder builder, Object value) {
    if (value == null) {
      builder.appendNull();
    } else if (value instanceof Boolean is) {
      builder.append(is);
    } else if (value instanceof Byte number) {
      builder.append(number);
    } else if (value instanceof Short number) {
      builder.append(number);
    } else if (value instanceof Integer number) {
      builder.append(number);
    } else if (value instanceof Long number) {
      builder.append(number);
    } else if (value instanceof Float number) {
      builder.append(number);
    } else if (value instanceof Double number) {
      builder.append(number);
    } else {
      builder.append((String) value);
    }
  }
}
