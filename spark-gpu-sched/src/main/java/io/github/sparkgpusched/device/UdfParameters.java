package io.github.sparkgpusched.device;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import scala.collection.Seq;

/**
 * The classes that a Java UDF takes, as far as its declaration says them, beside those that Spark
 * passes to it. Spark converts no argument of a Java UDF: an int given to a {@code UDF1<Long, …>}
 * fails in each row with a {@code ClassCastException} that names neither the function nor the
 * argument.
 */
public final class UdfParameters {
  private static final Map<DataType, Class<?>> PASSED =
      Map.of(
          DataTypes.BooleanType, Boolean.class,
          DataTypes.ByteType, Byte.class,
          DataTypes.ShortType, Short.class,
          DataTypes.IntegerType, Integer.class,
          DataTypes.LongType, Long.class,
          DataTypes.FloatType, Float.class,
          DataTypes.DoubleType, Double.class,
          DataTypes.StringType, String.class,
          DataTypes.BinaryType, byte[].class);

  private static final String SINCE_JAVA_8 = " where spark.sql.datetime.java8API.enabled is true";

  private static final Map<DataType, String> TIMES =
      Map.of(
          DataTypes.DateType, "java.sql.Date, or java.time.LocalDate" + SINCE_JAVA_8,
          DataTypes.TimestampType, "java.sql.Timestamp, or java.time.Instant" + SINCE_JAVA_8);

  private UdfParameters() {}

  /**
   * What a user can do about arguments that a UDF cannot take, or empty if all fit, or if the
   * declaration of its class does not say (as of a lambda).
   */
  public static Optional<String> mismatch(Class<?> udf, List<DataType> arguments) {
    return mismatch(udf, arguments, "");
  }

  /**
   * The same once a cast has failed: classes that depend on a setting are named, too.
   *
   * @param failure the message of the {@code ClassCastException}, or null
   */
  public static Optional<String> behind(String failure, Class<?> udf, List<DataType> arguments) {
    return mismatch(udf, arguments, failure == null ? "" : failure);
  }

  private static Optional<String> mismatch(Class<?> udf, List<DataType> arguments, String failure) {
    String wanted = "org.apache.spark.sql.api.java.UDF" + arguments.size();
    Type[] parameters = find(udf, Map.of(), wanted);
    for (int i = 0; parameters != null && i < arguments.size(); i++) {
      Class<?> passed = passed(arguments.get(i));
      Class<?> taken = rawOf(parameters[i]);
      String passes = null;
      if (passed != null && taken != null && !mayTake(taken, passed)) {
        passes = passed.getTypeName();
      } else if (taken != null && failure.contains("cannot be cast to class " + taken.getName())) {
        passes = TIMES.get(arguments.get(i));
      }
      if (passes != null) {
        return Optional.of(
            "argument %s is of SQL type %s, which Spark passes as %s, but %s takes %s there%s"
                .formatted(
                    i + 1,
                    arguments.get(i).simpleString(),
                    passes,
                    udf.getName(),
                    taken.getTypeName(),
                    castTo(taken)));
      }
    }
    return Optional.empty();
  }

  /** Which class of Scala's an array comes as, depends on Spark's release. */
  private static boolean mayTake(Class<?> taken, Class<?> passed) {
    return taken.isAssignableFrom(passed) || passed.isAssignableFrom(taken);
  }

  /** Null if a setting decides, or it is of no interest. */
  private static Class<?> passed(DataType type) {
    if (type instanceof DecimalType) {
      return BigDecimal.class;
    }
    return type instanceof ArrayType ? Seq.class : PASSED.get(type);
  }

  private static String castTo(Class<?> taken) {
    return PASSED.entrySet().stream()
        .filter(entry -> entry.getValue() == taken)
        .findFirst()
        .map(entry -> ": CAST it to " + entry.getKey().simpleString())
        .orElse("");
  }

  private static Class<?> rawOf(Type type) {
    if (type instanceof ParameterizedType generic) {
      return (Class<?>) generic.getRawType();
    }
    return type instanceof Class<?> known ? known : null;
  }

  /** The type arguments of a supertype, resolved where they can be; null if it is none. */
  private static Type[] find(Type type, Map<TypeVariable<?>, Type> outer, String wanted) {
    Class<?> raw = rawOf(type);
    if (raw == null || raw == Object.class) {
      return null;
    }
    Map<TypeVariable<?>, Type> bound = new HashMap<>();
    TypeVariable<?>[] variables = raw.getTypeParameters();
    Type[] arguments = new Type[variables.length];
    for (int i = 0; i < variables.length; i++) {
      Type given =
          type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[i] : null;
      arguments[i] = given instanceof TypeVariable<?> variable ? outer.get(variable) : given;
      bound.put(variables[i], arguments[i]);
    }
    if (raw.getName().equals(wanted)) {
      return arguments;
    }
    Type[] found = null;
    for (Type parent : raw.getGenericInterfaces()) {
      found = found == null ? find(parent, bound, wanted) : found;
    }
    return found == null && raw.getGenericSuperclass() != null
        ? find(raw.getGenericSuperclass(), bound, wanted)
        : found;
  }
}
