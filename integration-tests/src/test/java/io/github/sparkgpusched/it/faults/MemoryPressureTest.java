package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.it.testing.BatchedNodes;
import io.github.sparkgpusched.it.testing.RandomSwitches;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Little execution memory, rows and results of very different sizes: batches get smaller, and the
 * answer is that of row-wise Spark, or a clear refusal; never a lost row, and never a leak.
 */
@Tag("faults")
class MemoryPressureTest {
  private static final long OTHER_TASK = 1L << 40;

  /** A text of so many letters, in which the number is. */
  public static final class Text implements UDF2<Long, Integer, String>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public String call(Long number, Integer length) {
      return number == null || length == null
          ? null
          : String.valueOf((char) ('a' + number % 26)).repeat(length) + number;
    }
  }

  /** Letters of a text. */
  public static final class Letters implements UDF2<String, Integer, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(String text, Integer factor) {
      return text == null || factor == null ? null : (long) text.length() * factor + text.charAt(0);
    }
  }

  private static LocalSpark sparkWith(int memoryKib) {
    return LocalSpark.start(
        2,
        // Execution and storage memory together are this much.
        "spark.testing.memory",
        String.valueOf(memoryKib * 1024L),
        "spark.testing.reservedMemory",
        "0",
        "spark.memory.fraction",
        "1.0",
        "spark.buffer.pageSize",
        "64k",
        "spark.sql.adaptive.enabled",
        "false");
  }

  private static List<Row> answer(LocalSpark spark, boolean batched, String query) {
    spark.session().conf().set("spark.gpusched.enabled", String.valueOf(batched));
    Dataset<Row> dataset = spark.session().sql(query);
    List<Row> rows = dataset.collectAsList();
    assertEquals(
        batched, dataset.queryExecution().executedPlan().toString().contains("BatchedUdfs"));
    return rows;
  }

  /** Queries over the views rows(id, k) and columns(id, k), of random sizes of texts. */
  private static List<String> queries(Random random) {
    List<String> queries = new ArrayList<>();
    for (String table : new String[] {"rows", "columns"}) {
      int most = 1 << random.nextInt(4, 17);
      queries.add(
          "select count(*) c, count(distinct id) d, sum(letters(rpad('x', cast(pmod(hash(id), "
              + most
              + ") + 1 as int), 'y'), k)) s, max(text(id, k)) m from "
              + table);
      queries.add(
          "select sum(length(text(id, cast(pmod(hash(id), "
              + most
              + ") as int)))) s, count(id) c from "
              + table);
      queries.add(
          "select k, sum(letters(text(id, cast(pmod(hash(id), 100) as int)), k)) s from "
              + table
              + " where letters(text(id, 3), 2) > 100 group by k order by k");
    }
    return queries;
  }

  @ParameterizedTest(name = "{0} KiB")
  @ValueSource(ints = {1024, 2048, 4096, 16384})
  void batchesGetSmallerOrAreRefusedClearly(int memoryKib) {
    try (LocalSpark spark = sparkWith(memoryKib)) {
      getSmallerOrAreRefusedClearly(spark, memoryKib);
    }
  }

  /** The same for tasks that batch some of their rows. */
  @ParameterizedTest(name = "{0} KiB")
  @ValueSource(ints = {1024, 4096})
  void batchesOfSomeRowsGetSmallerOrAreRefusedClearly(int memoryKib) {
    try (LocalSpark spark = sparkWith(memoryKib);
        RandomSwitches switches = new RandomSwitches(memoryKib, 750)) {
      spark.session().conf().set("spark.gpusched.batching", "auto");
      long before = switches.batches();
      getSmallerOrAreRefusedClearly(spark, memoryKib);
      assertTrue(switches.batches() > before, "no batches");
    }
  }

  private static void getSmallerOrAreRefusedClearly(LocalSpark spark, int memoryKib) {
    Random random = new Random(memoryKib);
    spark.session().udf().register("text", new Text(), DataTypes.StringType);
    spark.session().udf().register("letters", new Letters(), DataTypes.LongType);
    spark
        .session()
        .range(0, 1_500, 1, 3)
        .selectExpr("if(id % 13 = 0, null, id) id", "cast(id % 5 as int) k")
        .createOrReplaceTempView("rows");
    String path = "target/tmp/memory-" + memoryKib;
    spark.session().table("rows").write().mode("overwrite").parquet(path);
    spark.session().read().parquet(path).createOrReplaceTempView("columns");
    for (String query : queries(random)) {
      List<Row> expected = answer(spark, false, query);
      try {
        assertEquals(expected, answer(spark, true, query), query);
      } catch (Exception e) {
        String messages = LocalSpark.messages(e);
        assertTrue(
            messages.contains("BatchTooLargeException: Spark did not grant "),
            () -> query + "\n" + messages);
        assertTrue(messages.contains("spark.gpusched.batch.rows"), messages);
        // Several batched nodes and an aggregate share what one task of two gets.
        assertTrue(memoryKib < 4096, () -> query + "\n" + messages);
      }
      LocalSpark.assertIdle();
    }
  }

  @Test
  void resultsOfManyMegabytesAreHandedOnInParts() {
    try (LocalSpark spark = LocalSpark.start(2)) {
      spark.session().udf().register("text", new Text(), DataTypes.StringType);
      spark.onePartition(60, "id").createOrReplaceTempView("numbers");
      String query =
          "select sum(length(t)) s, count(distinct md5(t)) d from"
              + " (select text(id, cast(4e6 as int)) t from numbers)";
      List<Row> expected = answer(spark, false, query);
      assertEquals(60, expected.get(0).getLong(1));
      assertEquals(expected, answer(spark, true, query));
      spark.assertRecovered();
    }
  }

  /** Columns of types that batches cannot hold are handed on where they lie, in parts as well. */
  @Test
  void batchesWithDecimalsAndStructsAreHandedOnInParts() {
    try (LocalSpark spark = LocalSpark.start(2)) {
      spark.session().udf().register("text", new Text(), DataTypes.StringType);
      String path = "target/tmp/memory-decimals";
      spark
          .onePartition(60, "id")
          .selectExpr(
              "id",
              "cast(if(id % 7 = 0, null, id) as decimal(30,2)) d",
              "named_struct('i', id, 's', concat('s', id)) st")
          .write()
          .mode("overwrite")
          .parquet(path);
      spark.session().read().parquet(path).createOrReplaceTempView("decimals");
      String query =
          "select sum(length(t)) s, count(distinct md5(t)) n, sum(d) d,"
              + " sum(length(st.s) + st.i - id) i, sum(hash(substr(t, 1, 9), d, st)) h from"
              + " (select text(id, cast(4e6 as int)) t, d, st, id from decimals)";
      List<Row> expected = answer(spark, false, query);
      assertEquals(60, expected.get(0).getLong(1));
      assertEquals(expected, answer(spark, true, query));
      spark.assertRecovered();
    }
  }

  /** Others have all memory when a task begins, and give it back before its first row is there. */
  @Test
  void whatOthersHaveForAMomentDoesNotMakeBatchesSmall() {
    try (LocalSpark spark = sparkWith(16384)) {
      MemoryManager memory = SparkEnv.get().memoryManager();
      MemoryMode mode = memory.tungstenMemoryMode();
      UDF1<Long, Long> giveBack =
          value -> {
            SparkEnv.get().memoryManager().releaseAllExecutionMemoryForTask(OTHER_TASK);
            return value;
          };
      spark.session().udf().register("give_back", giveBack, DataTypes.LongType);
      spark.session().udf().register("text", new Text(), DataTypes.StringType);
      Dataset<Row> rows =
          spark
              .session()
              .range(0, 1000, 1, 1)
              .selectExpr("give_back(id) v")
              .selectExpr("text(v, 3)");
      long all = memory.maxOnHeapStorageMemory();
      assertEquals(all, memory.acquireExecutionMemory(all, OTHER_TASK, mode));
      assertEquals(1000, rows.collectAsList().size());
      long batches = BatchedNodes.batches(rows); // two at a time grow from 64 rows
      assertTrue(batches <= 7, () -> batches + " batches");
      LocalSpark.assertIdle();
    }
  }
}
