package io.github.sparkgpusched.it.sql;

import static org.apache.spark.sql.functions.col;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.TestUdf1;
import java.io.Serializable;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Function1;

/** A Scala function that calls a GPU UDF within is not that UDF. */
class CapturedUdfTest extends SqlTest {
  /** What a Scala function without types needs, as Java can write no other. */
  private static final String UNTYPED = "spark.sql.legacy.allowUntypedScalaUDF";

  private interface ScalaFunction extends Function1<Object, Object>, Serializable {}

  @BeforeEach
  void allowUntyped() {
    spark.conf().set(UNTYPED, "true");
  }

  @AfterEach
  void forbidUntyped() {
    spark.conf().unset(UNTYPED);
  }

  @SuppressWarnings("deprecation") // see UNTYPED
  private static UserDefinedFunction tenfold() {
    TestUdf1<Double, Double> inc = Functions.INC;
    ScalaFunction tenfold =
        x -> {
          try {
            return inc.call((Double) x) * 10;
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };
    return functions.udf(tenfold, DataTypes.DoubleType);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void isCalledByTheFunctionAlone(String enabled) {
    set(Map.of(ENABLED, enabled));
    Dataset<Row> result = spark.table("t").select(tenfold().apply(col("x")));
    Dataset<Row> expected = spark.sql("select (x + 1) * 10 from t");
    assertFalse(isBatched(result), () -> plan(result));
    assertSame(Bits.of(expected.collectAsList()), Bits.of(result.collectAsList()));
  }
}
