package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import io.github.sparkgpusched.it.testing.TestUdf2;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A null argument gives null without a call, unless the UDF takes nulls. */
class NullsTest extends SqlTest {
  private static final AtomicLong CALLS = new AtomicLong();

  /** Would fail for a null. */
  private static final TestUdf2<Double, Double, Double> STRICT =
      (a, b) -> {
        CALLS.incrementAndGet();
        return a + b;
      };

  /** Null for some arguments that are not. */
  private static final TestUdf2<Double, Double, Double> HOLES = (a, b) -> a % 4 == 0 ? null : b;

  private static final class TakesNulls implements TestUdf2<Double, Double, Double> {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double a, Double b) {
      CALLS.incrementAndGet();
      if (a == null) {
        return -1.0;
      }
      return b == null ? null : Double.valueOf(a - b);
    }

    @Override
    public boolean takesNulls() {
      return true;
    }
  }

  @BeforeEach
  void register() {
    spark.udf().register("strict", STRICT, DataTypes.DoubleType);
    spark.udf().register("holes", HOLES, DataTypes.DoubleType);
    spark.udf().register("takes_nulls", new TakesNulls(), DataTypes.DoubleType);
    CALLS.set(0);
  }

  /** As columns, as rows, and from an RDD. */
  @ParameterizedTest
  @ValueSource(strings = {"t", "t where id >= 0 or k > 2", "(select * from t distribute by k)"})
  void nullForNull(String source) {
    String sql = "select id, strict(x, y), strict(y, x), strict(x, i + 0.5d) from " + source;
    List<String> expected = rowWise(sql);
    long rowWise = CALLS.getAndSet(0);
    Dataset<Row> result = spark.sql(sql);
    assertSame(expected, Bits.of(result.collectAsList()));
    assertTrue(isBatched(result), () -> plan(result));
    // y is null on 67 of 200 rows, i on 40.
    assertEquals(133 + 133 + 160, CALLS.get());
    assertEquals(rowWise, CALLS.get());
  }

  @Test
  void nullLiteral() {
    assertBatched("select strict(x, cast(null as double)), strict(null + x, y) from t");
    assertEquals(0, CALLS.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"t", "t where id >= 0 or k > 2"})
  void takesNulls(String source) {
    String sql =
        "select id, takes_nulls(y, x), takes_nulls(x, y), takes_nulls(null + x, 1d) from " + source;
    assertBatched(sql);
    assertEquals(2 * 3 * Tables.T_ROWS, CALLS.get());
    List<Row> rows = spark.sql("select takes_nulls(y, x) v from " + source).collectAsList();
    assertEquals(
        67, rows.stream().filter(row -> !row.isNullAt(0) && row.getDouble(0) == -1).count());
  }

  @Test
  void nullResults() {
    assertBatched("select id, holes(x, y), holes(y, x), inc(holes(x, x)) from t");
    assertBatched(
        "select count(holes(x, x)), sum(holes(x, y)) from t where holes(x, x) is not null");
  }

  /** Where a branch is not taken the arguments are null, which is no reason to call it. */
  @Test
  void takesNullsInABranch() {
    assertBatched("select id, case when k > 3 then takes_nulls(y, x) end from t");
    long taken = Tables.T_ROWS - 4 * 28 - 4;
    assertEquals(2 * taken, CALLS.get());
  }

  /** A UDF that promises never to return null and takes nulls can be batched. */
  @Test
  void neverNull() {
    var filled = functions.udf(new Filled(), DataTypes.DoubleType);
    spark.udf().register("filled", filled.asNonNullable());
    assertBatched("select id, filled(y), filled(x) + 1 from t");
    assertBatched("select id, if(k > 3, filled(y), 0d) from t");
    assertFalse(spark.sql("select filled(y) v from t").schema().apply("v").nullable());
  }

  /** Where it is not called its column has nulls, which nobody writes unasked. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStringThatIsNeverNullBehindACondition(boolean wholeStage) {
    spark.conf().set("spark.sql.codegen.wholeStage", wholeStage);
    try {
      var named = functions.udf(new Named(), DataTypes.StringType);
      spark.udf().register("named", named.asNonNullable());
      assertBatched("select id, case when k > 3 then named(s) else 'x' end n from t");
      assertBatched("select id, uid from t left join u on t.k > 3 and named(s) = w");
    } finally {
      spark.conf().unset("spark.sql.codegen.wholeStage");
    }
  }

  private static final class Named
      implements io.github.sparkgpusched.it.testing.TestUdf1<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String call(String value) {
      return value == null ? "" : value.toUpperCase(java.util.Locale.ROOT) + "!";
    }

    @Override
    public boolean takesNulls() {
      return true;
    }
  }

  private static final class Filled
      implements io.github.sparkgpusched.it.testing.TestUdf1<Double, Double> {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double value) {
      return value == null ? 0.0 : value;
    }

    @Override
    public boolean takesNulls() {
      return true;
    }
  }

  /** One that promises it and does not take nulls cannot: it is called for nulls, as ever. */
  @Test
  void neverNullButTakesNone() {
    String sql = "select id, inc_filled(x) from t";
    List<String> expected = rowWise(sql);
    try (ExplainLog log = new ExplainLog()) {
      assertEquals(expected, Bits.of(spark.sql(sql).collectAsList()));
      assertEquals(
          List.of(
              "UDF 'inc_filled' stays row by row in Project, because it is registered as never"
                  + " null, but gives null for null arguments"),
          log.lines());
    }
  }
}
