package io.github.sparkgpusched.it.faults;

import static io.github.sparkgpusched.it.faults.LocalSpark.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.config.ConfigEntry;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.MayChange;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;

/** Settings of a session, by SQL's {@code SET} and by {@code spark.conf.set}. */
@Tag("faults")
class SessionSettingsTest {
  private static LocalSpark spark;

  @BeforeAll
  static void start() {
    spark =
        LocalSpark.start(
            1,
            "spark.gpusched.host.devices",
            "2",
            "spark.gpusched.strategy.fixedRows",
            "1",
            "spark.sql.adaptive.enabled",
            "false");
    spark.register("f", Scripted.rows(value -> value), DataTypes.LongType);
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @ParameterizedTest(name = "SET {0}={1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "spark.gpusched.batch.row; 5; is not a known key: did you mean spark.gpusched.batch.rows?",
        "spark.gpusched; x; is not a known key: did you mean spark.gpusched.enabled?",
        "spark.gpusched.block.pollNanos; 5; is not a key any more: its name is now"
            + " spark.gpusched.cuda.block.pollNanos",
        "spark.gpusched.batch.rows; none; is not allowed: give a whole number from 1 to 16777216",
        "spark.gpusched.batch.rows; 0; is not allowed: give a whole number from 1 to 16777216"
      })
  void setRefusesWhatCannotBeMeant(String key, String value, String words) {
    SparkSession session = spark.session().newSession();
    Exception thrown =
        assertThrows(IllegalArgumentException.class, () -> session.sql("SET " + key + "=" + value));
    assertMentions(thrown, key + "='" + value + "' " + words);
    assertEquals("16384", session.conf().get("spark.gpusched.batch.rows"));
  }

  @Test
  void keysReadAtTheStartCannotBeChangedInASession() {
    SparkSession session = spark.session();
    for (ConfigEntry<?> entry : GpuSchedConfig.entries()) {
      if (entry.mayChange() == MayChange.AT_START) {
        String value = entry.defaultText();
        AnalysisException sql =
            assertThrows(
                AnalysisException.class,
                () -> session.sql("SET " + entry + "=" + value),
                entry::key);
        assertMentions(sql, entry.key());
        assertMentions(sql, "give it to spark-submit by --conf");
        AnalysisException conf =
            assertThrows(
                AnalysisException.class, () -> session.conf().set(entry.key(), value), entry::key);
        assertMentions(conf, entry.key());
        assertEquals(conf.getCondition(), sql.getCondition());
        assertEquals(conf.getSqlState(), sql.getSqlState());
      }
    }
    assertEquals("2", session.conf().get("spark.gpusched.host.devices"));
  }

  @Test
  void valuesAreCheckedWhenTheyAreSet() {
    SparkSession session = spark.session().newSession();
    Exception thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> session.conf().set("spark.gpusched.priority", "11"));
    assertMentions(
        thrown, "spark.gpusched.priority='11' is not allowed: give a whole number from -10 to 10");
    assertEquals("0", session.conf().get("spark.gpusched.priority"));
    session.conf().set("spark.gpusched.priority", "10");
    assertEquals("10", session.conf().get("spark.gpusched.priority"));
  }

  /** Nothing of ours sees {@code spark.conf.set}; the next query that is ours does. */
  @Test
  void anUnknownKeyFailsTheNextQueryWithGpuUdfsAndNoOther() {
    SparkSession session = spark.session();
    session.conf().set("spark.gpusched.batch.row", "5");
    try {
      assertEquals(10, session.range(10).count());
      Exception thrown =
          assertThrows(Exception.class, () -> spark.onePartition(10, "f(id)").collectAsList());
      assertMentions(
          thrown,
          "spark.gpusched.batch.row='5' is not a known key: did you mean spark.gpusched.batch.rows?");
      session.conf().set("spark.gpusched.enabled", "false");
      assertEquals(10, spark.onePartition(10, "f(id)").collectAsList().size());
    } finally {
      session.conf().unset("spark.gpusched.enabled");
      session.conf().unset("spark.gpusched.batch.row");
    }
    spark.assertRecovered();
  }

  @Test
  void setChangesWhatMayChange() {
    SparkSession session = spark.session().newSession();
    session.sql("SET spark.gpusched.batch.bytes = 128M");
    Row shown = session.sql("SET spark.gpusched.batch.bytes").head();
    assertEquals("128M", shown.getString(1));
    session.sql("RESET spark.gpusched.batch.bytes");
    assertEquals("64m", session.conf().get("spark.gpusched.batch.bytes"));
    session.sql("SET spark.gpuscheduler=another's");
    assertEquals("64m", spark.session().conf().get("spark.gpusched.batch.bytes"));
  }

  /** Blocks of one row are dealt by no other strategy to a function that costs next to nothing. */
  @Test
  void aQueryMayHaveAStrategyOfItsOwn() {
    SparkSession session = spark.session();
    session.sql("SET spark.gpusched.strategy=fixed");
    try {
      assertEquals(1000, blocks());
    } finally {
      session.sql("RESET spark.gpusched.strategy");
    }
    assertTrue(blocks() < 1000, "blocks of adaptive");
    assertThrows(
        IllegalArgumentException.class, () -> session.sql("SET spark.gpusched.strategy=fair"));
  }

  private static long blocks() {
    Dataset<Row> query = spark.onePartition(1000, "f(id)");
    assertEquals(1000, query.collectAsList().size());
    Option<SparkPlan> node =
        query
            .queryExecution()
            .executedPlan()
            .find(plan -> plan.metrics().contains("numStolenBlocks"));
    return node.get().metrics().apply("numBlocks").value();
  }

  @Test
  void setListsEveryKeyWithItsDefaultAndMeaning() {
    Map<String, Row> listed = new HashMap<>();
    for (Row row : spark.session().sql("SET -v").collectAsList()) {
      listed.put(row.getString(0), row);
    }
    for (ConfigEntry<?> entry : GpuSchedConfig.entries()) {
      Row row = listed.get(entry.key());
      assertTrue(row != null, entry::key);
      assertTrue(row.getString(2).startsWith(entry.doc()), row::toString);
    }
    assertEquals(
        GpuSchedConfig.entries().size(),
        listed.keySet().stream().filter(GpuSchedConfig::isOurs).count());
  }
}
