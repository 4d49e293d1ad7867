package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nvidia.spark.RapidsUDF;
import io.github.sparkgpusched.it.testing.TestUdf1;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A UDF with an author's own RAPIDS form, where the RAPIDS Accelerator plans the session or not.
 */
class RapidsUdfTest extends SqlTest {
  private static final String PLUGINS = "spark.plugins";
  private static final String OURS = "io.github.sparkgpusched.GpuSchedPlugin";
  private static final String BOTH = OURS + ",com.nvidia.spark.SQLPlugin";
  private static final String RAPIDS_ENABLED = "spark.rapids.sql.enabled";
  private static final String SQL = "select columnar_inc(x), inc(x) from t";

  /** What an author inherits the interface from need not be the UDF's own class. */
  abstract static class Columnar implements RapidsUDF {}

  private static final class ColumnarInc extends Columnar implements TestUdf1<Double, Double> {
    private static final long serialVersionUID = 1L;

    @Override
    public Double call(Double x) {
      return x + 1;
    }
  }

  @BeforeEach
  void register() {
    spark.udf().register("columnar_inc", new ColumnarInc(), DataTypes.DoubleType);
  }

  @AfterEach
  void withoutRapids() {
    conf().setConfString(PLUGINS, OURS);
    conf().unsetConf(RAPIDS_ENABLED);
  }

  private static SQLConf conf() {
    return ((org.apache.spark.sql.classic.SparkSession) spark).sessionState().conf();
  }

  /** The calls of {@code columnar_inc} whose UDF the Accelerator finds, by its own way to look. */
  private static int seenByRapids(Dataset<Row> query) {
    List<Object> found = new ArrayList<>();
    LogicalPlan plan = query.queryExecution().optimizedPlan();
    plan.foreach(
        node -> {
          CollectionConverters.asJava(node.expressions())
              .forEach(
                  e ->
                      e.foreach(
                          part -> {
                            if (part instanceof ScalaUDF call
                                && behind(call.function()) instanceof RapidsUDF udf) {
                              found.add(udf);
                            }
                            return scala.runtime.BoxedUnit.UNIT;
                          }));
          return scala.runtime.BoxedUnit.UNIT;
        });
    return found.size();
  }

  private static Object behind(Object function) {
    if (function instanceof RapidsUDF || !function.getClass().getName().contains("ambda")) {
      return function;
    }
    try {
      Method writeReplace = function.getClass().getDeclaredMethod("writeReplace");
      writeReplace.setAccessible(true);
      return ((SerializedLambda) writeReplace.invoke(function)).getCapturedArg(0);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no lambda of Spark's", e);
    }
  }

  /** Whether or not the plugin batches the other calls of the query. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void isLeftToRapids(String enabled) {
    List<String> expected = rowWise(SQL);
    set(Map.of(ENABLED, enabled));
    conf().setConfString(PLUGINS, BOTH);
    Dataset<Row> query = spark.sql(SQL);
    assertEquals(1, seenByRapids(query), () -> plan(query));
    assertSame(expected, io.github.sparkgpusched.it.testing.Bits.of(query.collectAsList()));
    assertEquals(enabled.equals("true"), isBatched(query), () -> plan(query));
    assertFalse(plan(query).contains("BatchedUdfs [columnar_inc"), () -> plan(query));
  }

  /** Where RAPIDS plans nothing it is a GPU UDF as any other. */
  @ParameterizedTest
  @CsvSource({"other.Plugin, true", "com.nvidia.spark.SQLPlugin, false"})
  void isBatchedWithoutRapids(String plugin, String rapids) {
    conf().setConfString(PLUGINS, OURS + ", " + plugin);
    conf().setConfString(RAPIDS_ENABLED, rapids);
    assertBatched(SQL);
    assertTrue(plan(spark.sql(SQL)).contains("BatchedUdfs [columnar_inc"));
  }

  /** Those without a RAPIDS form are batched beside RAPIDS. */
  @Test
  void othersAreBatched() {
    conf().setConfString(PLUGINS, BOTH);
    assertBatched("select inc(x) from t where is_big(y)");
  }
}
