package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.TestSpark;
import io.github.sparkgpusched.sql.plan.BatchedUdfs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.spark.package$;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import scala.jdk.javaapi.CollectionConverters;

/** Columns that a call does not take travel beside it, whatever their type, with their nulls. */
class PassThroughTest extends SqlTest {
  private static final boolean SINCE_SPARK_4 = !package$.MODULE$.SPARK_VERSION().startsWith("3.");

  /** Column name to expression over an {@code id}; null every sixth row. */
  private static final Map<String, String> COLUMNS =
      Map.ofEntries(
          Map.entry("c_boolean", "id % 2 = 0"),
          Map.entry("c_byte", "cast(id % 100 as byte)"),
          Map.entry("c_short", "cast(id as short)"),
          Map.entry("c_int", "cast(-id as int)"),
          Map.entry("c_long", "id * 1000000007"),
          Map.entry("c_float", "if(id % 5 = 0, float('NaN'), cast(id / 3 as float))"),
          Map.entry("c_double", "if(id % 5 = 0, -0.0d, id / 7)"),
          Map.entry("c_date", "date_add(date'1960-01-01', cast(id as int))"),
          Map.entry("c_timestamp", "timestamp_micros(id * 123456789)"),
          Map.entry("c_ntz", "timestamp_ntz'2026-01-02 03:04:05.678901'"),
          Map.entry("c_string", "concat('ü🙂', id)"),
          Map.entry("c_binary", "cast(concat('b', id) as binary)"),
          Map.entry("c_small_decimal", "cast(id * 1.5 as decimal(9,2))"),
          Map.entry("c_decimal", "cast(id * 1.5 as decimal(18,4))"),
          Map.entry("c_large_decimal", "cast(id as decimal(38,10)) * 100000000000.5"),
          Map.entry("c_array", "sequence(0, id % 5)"),
          Map.entry("c_strings", "array(concat('s', id), null, '')"),
          Map.entry("c_nested", "array(array(id, null), null, array())"),
          Map.entry("c_structs", "array(named_struct('p', id, 'q', concat('q', id)), null)"),
          Map.entry("c_decimals", "array(cast(id as decimal(30,5)), null)"),
          Map.entry(
              "c_struct",
              "named_struct('i', id, 's', concat('s', id), 'a', array(id), 'n',"
                  + " named_struct('d', cast(id as decimal(20,2)), 'm', map('k', id)))"),
          Map.entry("c_map", "map(concat('k', id), array(id), 'x', null)"),
          Map.entry("c_struct_map", "map(id, named_struct('v', id, 'w', cast(null as string)))"),
          Map.entry("c_day_interval", "make_dt_interval(id, 1, 2, 3.5)"),
          Map.entry("c_year_interval", "make_ym_interval(id, 3)"));

  /** Types that Parquet cannot hold, or not on both versions of Spark. */
  private static final Map<String, String> MORE_COLUMNS =
      Map.of(
          "c_interval", "make_interval(0, id, 0, 1, 2)",
          "c_intervals", "array(make_interval(0, id, 0, 1, 2), null)",
          "c_interval_struct", "named_struct('v', make_interval(0, id))",
          "c_null", "null",
          "c_null_map", "map(id, named_struct('v', id, 'w', null))");

  private static final Map<String, String> COLLATED =
      Map.of("c_collated", "concat('C', id) collate unicode_ci");

  private static final Map<String, String> VARIANTS =
      Map.of(
          "c_variant", "parse_json(concat('{\"a\":', id, ', \"b\": [1, \"x\"]}'))",
          "c_variants", "array(parse_json(concat('[', id, ']')), null)",
          "c_variant_struct", "named_struct('v', parse_json(concat('\"', id, '\"')))");

  @BeforeAll
  static void write() {
    String path = TestSpark.directory("wide").toString();
    table(COLUMNS).coalesce(1).write().mode("overwrite").parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("wide");
    table(COLUMNS).createOrReplaceTempView("wide_rows");
    table(MORE_COLUMNS).createOrReplaceTempView("more_rows");
    if (!SINCE_SPARK_4) {
      return;
    }
    table(COLLATED).createOrReplaceTempView("collated_rows");
    table(VARIANTS).createOrReplaceTempView("variant_rows");
    String variants = TestSpark.directory("variants").toString();
    table(VARIANTS).coalesce(1).write().mode("overwrite").parquet(variants);
    spark.read().parquet(variants).createOrReplaceTempView("variants");
  }

  private static Dataset<Row> table(Map<String, String> columns) {
    Dataset<Row> table = spark.range(0, 300, 1, 1).selectExpr("id", "cast(id as double) x");
    for (Map.Entry<String, String> column : columns.entrySet()) {
      String value = column.getValue();
      table =
          table.selectExpr("*", "case when id % 6 <> 5 then " + value + " end " + column.getKey());
    }
    return table;
  }

  private static void assumeThere(String table) {
    assumeTrue(
        SINCE_SPARK_4 || !table.matches("(variant|collated).*"),
        "Spark 3.5 has neither variants nor collations");
  }

  /** All at once: a type that batches cannot hold keeps the child's batches as they are. */
  @ParameterizedTest
  @CsvSource({
    "wide, 65536, true",
    "wide, 7, false",
    "wide where id >= 10, 65536, false",
    "wide where id >= 10, 7, true",
    "wide_rows, 65536, true",
    "wide_rows, 1, false",
    "more_rows, 65536, true",
    "more_rows, 7, false",
    "collated_rows, 65536, true",
    "collated_rows, 7, false",
    "variant_rows, 65536, true",
    "variant_rows, 7, false",
    "variants, 65536, true",
    "variants where id >= 10, 7, false",
  })
  void allColumns(String table, int batchRows, boolean codegen) {
    assumeThere(table);
    set(Map.of(BATCH_ROWS, String.valueOf(batchRows), CODEGEN, String.valueOf(codegen)));
    String sql = "select *, inc(x), seen(cast(id as int)) from " + table;
    List<String> expected = rowWise(sql);
    assertTrue(expected.size() > 200, table);
    Dataset<Row> result = spark.sql(sql);
    assertEquals(expected, Bits.of(result.collectAsList()));
    assertTrue(isBatched(result), () -> plan(result));
  }

  /** Each alone: of types that batches hold the child's batches are put together. */
  @ParameterizedTest
  @MethodSource("columns")
  void eachColumn(String column) {
    set(Map.of(BATCH_ROWS, "50"));
    String sql = "select inc(x), " + column + " from wide";
    List<String> expected = rowWise(sql);
    Dataset<Row> result = spark.sql(sql);
    assertEquals(expected, Bits.of(result.collectAsList()));
    assertTrue(isBatched(result), () -> plan(result));
  }

  static List<String> columns() {
    return COLUMNS.keySet().stream().sorted().toList();
  }

  /** Parts of columns, read above the batches. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wide | c_struct.n.d, c_struct.a[0], c_structs[0].q, c_map['x'], c_nested[0][1]",
        "wide_rows | c_struct.n.m['k'], c_struct.s, c_structs[0].p, map_keys(c_map), c_strings",
        "variants | variant_get(c_variant, '$.a', 'int'), to_json(c_variant), to_json(c_variants[0])",
        "variant_rows | variant_get(c_variant, '$.b[1]', 'string'), to_json(c_variant_struct.v)",
        "more_rows | c_interval_struct.v, c_intervals[0], c_null_map[id].v",
        "collated_rows | c_collated = 'c7'",
      })
  void parts(String table, String parts) {
    assumeThere(table);
    String sql =
        "select id, " + parts + " from (select *, inc(x) v from " + table + ") where v > 5";
    List<String> expected = rowWise(sql);
    Dataset<Row> result = spark.sql(sql);
    assertEquals(expected, Bits.of(result.collectAsList()));
    assertTrue(isBatched(result), () -> plan(result));
  }

  /**
   * What nobody above reads is left behind, in rows and in batches, and Spark needs no projection
   * above the node for that.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select sum(inc(x)) from %s | ",
        "select c_int, sum(inc(x)) from %s group by c_int | c_int",
        "select inc(x) y, c_long from %s where c_date is not null | c_long",
        "select c_int from %s where inc(x) > c_double | c_double c_int",
        "select c_int, c_byte from %s order by inc(x) | c_byte c_int",
        "select inc(inc(x)), x from %s | x",
      })
  void onlyWhatIsReadIsPassedOn(String sql, String passed) {
    for (String table : List.of("wide", "(select /*+ repartition(2) */ * from wide)")) {
      String query = String.format(sql, table);
      assertBatched(query);
      List<String> columns = new ArrayList<>();
      LogicalPlan plan = spark.sql(query).queryExecution().optimizedPlan();
      plan.foreach(
          node -> {
            if (node instanceof BatchedUdfs udfs && columns.isEmpty()) {
              CollectionConverters.asJava(udfs.passed())
                  .forEach(column -> columns.add(column.name()));
              columns.removeAll(List.of("inc"));
            }
            return scala.runtime.BoxedUnit.UNIT;
          });
      Collections.sort(columns);
      assertEquals(passed == null ? "" : passed, String.join(" ", columns), () -> plan.toString());
    }
  }
}
