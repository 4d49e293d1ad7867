package io.github.sparkgpusched.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class UdfParametersTest {
  private static class Plain implements UDF2<Long, String, Long> {
    @Override
    public Long call(Long a, String b) {
      return a;
    }
  }

  private interface Swapped<A, B, R> extends UDF2<B, A, R> {}

  private abstract static class Generic<T> implements Serializable, Swapped<T, Integer, T> {}

  private static final class Inherited extends Generic<Double> {
    @Override
    public Double call(Integer a, Double b) {
      return b;
    }
  }

  private static final class Wide implements UDF1<Number, Object> {
    @Override
    public Object call(Number a) {
      return a;
    }
  }

  private static final class Open<T> implements UDF1<T, T> {
    @Override
    public T call(T a) {
      return a;
    }
  }

  private static Optional<String> mismatch(Class<?> udf, DataType... arguments) {
    return UdfParameters.mismatch(udf, List.of(arguments));
  }

  @Test
  void whatFitsIsNoMismatch() {
    assertEquals(Optional.empty(), mismatch(Plain.class, DataTypes.LongType, DataTypes.StringType));
    assertEquals(
        Optional.empty(), mismatch(Inherited.class, DataTypes.IntegerType, DataTypes.DoubleType));
    assertEquals(Optional.empty(), mismatch(Wide.class, DataTypes.ShortType));
    assertEquals(Optional.empty(), mismatch(Wide.class, DataTypes.createDecimalType(20, 2)));
  }

  @Test
  void theFirstMismatchIsNamed() {
    assertEquals(
        Optional.of(
            "argument 1 is of SQL type int, which Spark passes as java.lang.Integer, but "
                + Plain.class.getName()
                + " takes java.lang.Long there: CAST it to bigint"),
        mismatch(Plain.class, DataTypes.IntegerType, DataTypes.IntegerType));
  }

  /** Through a superclass, and an interface that swaps the parameters. */
  @Test
  void inheritedParametersAreResolved() {
    String why = mismatch(Inherited.class, DataTypes.IntegerType, DataTypes.FloatType).get();
    assertTrue(why.startsWith("argument 2 is of SQL type float"), why);
    assertTrue(why.endsWith("takes java.lang.Double there: CAST it to double"), why);
    String swapped = mismatch(Inherited.class, DataTypes.DoubleType, DataTypes.DoubleType).get();
    assertTrue(swapped.startsWith("argument 1 is of SQL type double"), swapped);
  }

  @Test
  void noCastIsGivenWhereThereIsNone() {
    String why = mismatch(Wide.class, DataTypes.StringType).get();
    assertTrue(why.endsWith("takes java.lang.Number there"), why);
  }

  /** A lambda, a type variable, another number of arguments, a type that Spark converts. */
  @Test
  void whatIsNotCertainIsNoMismatch() {
    UDF1<Long, Long> lambda = value -> value;
    assertEquals(Optional.empty(), mismatch(lambda.getClass(), DataTypes.IntegerType));
    assertEquals(Optional.empty(), mismatch(Open.class, DataTypes.IntegerType));
    assertEquals(Optional.empty(), mismatch(Wide.class));
    assertEquals(Optional.empty(), mismatch(Wide.class, DataTypes.StringType, DataTypes.ByteType));
    assertEquals(Optional.empty(), mismatch(Wide.class, DataTypes.DateType));
  }
}
