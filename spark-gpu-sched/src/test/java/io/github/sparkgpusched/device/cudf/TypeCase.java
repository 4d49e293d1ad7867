package io.github.sparkgpusched.device.cudf;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.UdfCall;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * A function of types.cu, and its Java form over values as Spark holds them inside, but for
 * strings, which are Java's, and arrays, which are lists.
 */
record TypeCase(
    String function,
    boolean takesNulls,
    DataType result,
    List<DataType> arguments,
    Function<Object[], Object> java)
    implements GpuUdf {

  private static TypeCase of(
      String function, DataType result, DataType argument, Function<Object, Object> java) {
    return new TypeCase(function, false, result, List.of(argument), a -> java.apply(a[0]));
  }

  private static TypeCase sum(String function, DataType element) {
    return of(
        function,
        DataTypes.DoubleType,
        new ArrayType(element, true),
        list -> {
          double sum = ((List<?>) list).size();
          for (Object x : (List<?>) list) {
            if (x instanceof Boolean is) {
              sum += is ? 1 : 0;
            } else if (x != null) {
              sum += ((Number) x).doubleValue();
            }
          }
          return sum;
        });
  }

  /** All of them. */
  static List<TypeCase> all() {
    return List.of(
        of("flip", DataTypes.BooleanType, DataTypes.BooleanType, x -> !(Boolean) x),
        of("next_byte", DataTypes.ByteType, DataTypes.ByteType, x -> (byte) ((Byte) x + 1)),
        of("next_short", DataTypes.ShortType, DataTypes.ShortType, x -> (short) ((Short) x + 1)),
        of("next_int", DataTypes.IntegerType, DataTypes.IntegerType, x -> (Integer) x + 1),
        of("next_long", DataTypes.LongType, DataTypes.LongType, x -> (Long) x + 1),
        of("next_float", DataTypes.FloatType, DataTypes.FloatType, x -> (Float) x + 1),
        of("next_double", DataTypes.DoubleType, DataTypes.DoubleType, x -> (Double) x + 1),
        of("next_day", DataTypes.DateType, DataTypes.DateType, x -> (Integer) x + 1),
        of("next_micro", DataTypes.TimestampType, DataTypes.TimestampType, x -> (Long) x + 1),
        of(
            "length_of",
            DataTypes.IntegerType,
            DataTypes.StringType,
            x -> Values.utf8((String) x).length),
        of("sum_of_bytes", DataTypes.LongType, DataTypes.BinaryType, TypeCase::sumOfBytes),
        of("twice", DataTypes.StringType, DataTypes.StringType, x -> (String) x + x),
        of(
            "stars",
            DataTypes.StringType,
            DataTypes.StringType,
            x -> "*".repeat(Math.min(60, Values.utf8((String) x).length))),
        sum("sum_booleans", DataTypes.BooleanType),
        sum("sum_signed_bytes", DataTypes.ByteType),
        sum("sum_shorts", DataTypes.ShortType),
        sum("sum_ints", DataTypes.IntegerType),
        sum("sum_longs", DataTypes.LongType),
        sum("sum_floats", DataTypes.FloatType),
        sum("sum_doubles", DataTypes.DoubleType),
        sum("sum_days", DataTypes.DateType),
        sum("sum_micros", DataTypes.TimestampType),
        new TypeCase(
            "or_seven",
            true,
            DataTypes.DoubleType,
            List.of(DataTypes.DoubleType),
            a -> a[0] == null ? 7.0 : a[0]),
        of(
            "null_if_odd",
            DataTypes.IntegerType,
            DataTypes.IntegerType,
            x -> ((Integer) x & 1) != 0 ? null : x),
        of("left_if_odd", DataTypes.IntegerType, DataTypes.IntegerType, x -> x),
        new TypeCase("seven", false, DataTypes.IntegerType, List.of(), a -> 7),
        new TypeCase(
            "three",
            false,
            DataTypes.DoubleType,
            List.of(DataTypes.LongType, DataTypes.StringType, DataTypes.DoubleType),
            a -> (double) (Long) a[0] + Values.utf8((String) a[1]).length + (Double) a[2]));
  }

  static TypeCase named(String function) {
    return all().stream()
        .filter(type -> type.function().equals(function))
        .findFirst()
        .orElseThrow();
  }

  private static Object sumOfBytes(Object bytes) {
    long sum = 0;
    for (byte b : (byte[]) bytes) {
      sum += b;
    }
    return sum;
  }

  UdfCall call() {
    return new UdfCall(function, arguments, result);
  }

  /** By the plugin's rule on nulls. */
  Object expected(Object[] values) {
    if (!takesNulls) {
      for (Object value : values) {
        if (value == null) {
          return null;
        }
      }
    }
    return java.apply(values);
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(CudaSource.resource("types.cu", function));
  }
}
