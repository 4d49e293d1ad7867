package io.github.sparkgpusched.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.ArraySeq;

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

  private static final class OfList implements UDF1<List<Double>, Long> {
    @Override
    public Long call(List<Double> a) {
      return null;
    }
  }

  private static final class OfSeq implements UDF1<scala.collection.Seq<Double>, Long> {
    @Override
    public Long call(scala.collection.Seq<Double> a) {
      return null;
    }
  }

  private static final class OfArraySeq implements UDF1<ArraySeq<Double>, Long> {
    @Override
    public Long call(ArraySeq<Double> a) {
      return null;
    }
  }

  @Test
  void arraysAreSequencesOfScalas() {
    DataType doubles = DataTypes.createArrayType(DataTypes.DoubleType);
    assertEquals(
        Optional.of(
            "argument 1 is of SQL type array<double>, which Spark passes as scala.collection.Seq,"
                + " but "
                + OfList.class.getName()
                + " takes java.util.List there"),
        mismatch(OfList.class, doubles));
    assertEquals(Optional.empty(), mismatch(OfSeq.class, doubles));
    assertEquals(Optional.empty(), mismatch(OfArraySeq.class, doubles));
  }

  private static final class OfDate implements UDF1<LocalDate, Long> {
    @Override
    public Long call(LocalDate a) {
      return null;
    }
  }

  /** A setting says of which class they are: only a cast that has failed shows it. */
  @Test
  void datesAreNamedOnceACastHasFailed() {
    List<DataType> date = List.of(DataTypes.DateType);
    assertEquals(Optional.empty(), mismatch(OfDate.class, DataTypes.DateType));
    assertEquals(Optional.empty(), UdfParameters.behind(null, OfDate.class, date));
    assertEquals(Optional.empty(), UdfParameters.behind("of others", OfDate.class, date));
    String failure =
        "class java.sql.Date cannot be cast to class java.time.LocalDate (java.sql.Date is in"
            + " module java.sql)";
    assertEquals(
        Optional.of(
            "argument 1 is of SQL type date, which Spark passes as java.sql.Date, or"
                + " java.time.LocalDate where spark.sql.datetime.java8API.enabled is true, but "
                + OfDate.class.getName()
                + " takes java.time.LocalDate there"),
        UdfParameters.behind(failure, OfDate.class, date));
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
