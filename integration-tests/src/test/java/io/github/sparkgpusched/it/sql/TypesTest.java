package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.ExplainLog;
import io.github.sparkgpusched.it.testing.RandomSwitches;
import io.github.sparkgpusched.it.testing.TestSpark;
import io.github.sparkgpusched.it.testing.TestUdf1;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random values of every type, in and out: the batched answers are those of plain Spark, bit for
 * bit, whether the rows come as rows or as columns.
 */
class TypesTest extends SqlTest {
  private static final int ROWS = 3000;
  private static final String REBASE = "spark.sql.parquet.datetimeRebaseModeInWrite";
  private static final List<DataType> FIXED =
      List.of(
          DataTypes.BooleanType,
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType,
          DataTypes.DateType,
          DataTypes.TimestampType);
  private static final List<DataType> IN = new ArrayList<>(FIXED);
  private static final List<DataType> OUT = new ArrayList<>(FIXED);

  static {
    OUT.add(DataTypes.StringType);
    IN.add(DataTypes.StringType);
    IN.add(DataTypes.BinaryType);
    FIXED.forEach(type -> IN.add(DataTypes.createArrayType(type)));
  }

  private static StructType schema;

  /** What plain Spark gives with UDFs that are no GPU UDFs. */
  private static List<String> described;

  private static List<String> produced;

  @BeforeAll
  static void write() {
    schema = new StructType().add("seed", DataTypes.LongType);
    for (int i = 0; i < IN.size(); i++) {
      schema = schema.add("c" + i, IN.get(i));
    }
    String path = TestSpark.directory("types").toString();
    spark.conf().set(JAVA8, "true");
    // As Spark 4 writes dates of before 1582 unless told otherwise.
    spark.conf().set(REBASE, "CORRECTED");
    spark.createDataFrame(rows(), schema).coalesce(2).write().mode("overwrite").parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("types");
    register(false, true);
    described = plain(describing("plain", "types"));
    produced = plain(producing("plain", "types"));
    spark.conf().unset(JAVA8);
    spark.conf().unset(REBASE);
  }

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      RandomValues random = new RandomValues(row);
      Object[] values = new Object[1 + IN.size()];
      values[0] = row % 9 == 8 ? null : (long) row;
      for (int i = 0; i < IN.size(); i++) {
        values[i + 1] = random.orNull(IN.get(i));
      }
      rows.add(RowFactory.create(values));
    }
    return rows;
  }

  /** The functions, and with the prefix {@code plain_} the same as no GPU UDFs. */
  private static void register(boolean batch, boolean java8) {
    for (int i = 0; i < IN.size(); i++) {
      Describe describe = new Describe(IN.get(i), batch);
      spark.udf().register("describe" + i, describe, DataTypes.StringType);
      spark.udf().register("plain_describe" + i, new Plain<>(describe), DataTypes.StringType);
    }
    for (int i = 0; i < OUT.size(); i++) {
      Produce produce = new Produce(OUT.get(i), batch, java8);
      spark.udf().register("produce" + i, produce, OUT.get(i));
      spark.udf().register("plain_produce" + i, new Plain<>(produce), OUT.get(i));
    }
  }

  /** Hides that a UDF is a GPU UDF. */
  private record Plain<A, R>(UDF1<A, R> udf) implements UDF1<A, R> {
    @Override
    public R call(A argument) throws Exception {
      return udf.call(argument);
    }
  }

  private static String describing(String prefix, String table) {
    return calls(prefix + "_describe", "c", IN.size(), table);
  }

  private static String producing(String prefix, String table) {
    return calls(prefix + "_produce", "seed + ", OUT.size(), table);
  }

  private static String calls(String function, String argument, int count, String table) {
    String name = function.startsWith("_") ? function.substring(1) : function;
    return Stream.iterate(0, i -> i + 1)
        .limit(count)
        .map(i -> sameForAll(name + i + "(" + argument + i + ")", name, i))
        .collect(Collectors.joining(", ", "select seed, ", " from " + table));
  }

  /** Dates and timestamps come out as objects that depend on the session; numbers do not. */
  private static String sameForAll(String call, String name, int i) {
    if (!name.endsWith("produce")) {
      return call;
    } else if (OUT.get(i) == DataTypes.DateType) {
      return "unix_date(" + call + ")";
    }
    return OUT.get(i) == DataTypes.TimestampType ? "unix_micros(" + call + ")" : call;
  }

  private static List<String> plain(String sql) {
    Dataset<Row> result = spark.sql(sql);
    assertTrue(!isBatched(result), () -> plan(result));
    return Bits.of(result.collectAsList());
  }

  /** Where the rows come from, whether there is a batch method, rows a batch, kind of dates. */
  @ParameterizedTest
  @CsvSource({
    "columns, true, 65536, true",
    "columns, false, 65536, false",
    "columns, true, 7, false",
    "columns, false, 1, true",
    "filtered, true, 65536, false",
    "filtered, false, 65536, true",
    "filtered, true, 1, true",
    "filtered, false, 7, false",
    "rows, true, 65536, true",
    "rows, false, 65536, true",
    "rows, false, 7, true",
    "in place, false, 65536, true",
    "in place, false, 65536, false",
    "switching, false, 65536, true",
    "switching, true, 65536, false",
    "cached, true, 65536, false",
    "cached, false, 65536, true",
    "cached, true, 7, true",
  })
  void agrees(String source, boolean batch, int batchRows, boolean java8) {
    set(Map.of(JAVA8, String.valueOf(java8), BATCH_ROWS, String.valueOf(batchRows)));
    String batching =
        switch (source) {
          case "in place" -> "never";
          case "switching" -> "auto";
          default -> "always";
        };
    set(Map.of(BATCHING, batching));
    register(batch, java8);
    String table = table(source);
    RandomSwitches switches = new RandomSwitches(batchRows, 40);
    try {
      assertAgrees(described, describing("", table));
      assertAgrees(produced, producing("", table));
      assertSame(described, rowWise(describing("", table)));
    } finally {
      switches.close();
      spark.catalog().uncacheTable("types");
    }
  }

  private static String table(String source) {
    switch (source) {
      case "filtered" -> {
        return "types where coalesce(seed, 0) >= 0";
      }
      case "rows", "in place", "switching" ->
          spark
              .createDataFrame(spark.table("types").toJavaRDD(), schema)
              .createOrReplaceTempView("types_rows");
      case "cached" -> spark.catalog().cacheTable("types");
      default -> {}
    }
    return Set.of("rows", "in place", "switching").contains(source) ? "types_rows" : "types";
  }

  private static void assertAgrees(List<String> expected, String sql) {
    Dataset<Row> result = spark.sql(sql);
    List<Row> rows = result.collectAsList();
    assertTrue(isBatched(result), () -> plan(result));
    assertSame(expected, Bits.of(rows));
  }

  /** In a cached table of numbers the batches stay columns. */
  @Test
  void cachedColumns() {
    register(true, false);
    spark
        .table("types")
        .select("seed", "c0", "c1", "c2", "c3", "c4", "c5", "c6")
        .createOrReplaceTempView("numbers");
    String sql =
        "select seed, describe0(c0), describe1(c1), describe2(c2), describe3(c3),"
            + " describe4(c4), describe5(c5), describe6(c6) from numbers";
    List<String> expected = rowWise(sql);
    spark.catalog().cacheTable("numbers");
    try {
      Dataset<Row> result = spark.sql(sql);
      assertSame(expected, Bits.of(result.collectAsList()));
      assertTrue(plan(result).contains("Scan In-memory table"), () -> plan(result));
      assertTrue(isBatched(result), () -> plan(result));
    } finally {
      spark.catalog().uncacheTable("numbers");
    }
  }

  static List<String> unsupported() {
    return List.of(
        "decimal(10,2)",
        "struct<x:int>",
        "map<string,int>",
        "array<string>",
        "array<array<int>>",
        "timestamp_ntz",
        "interval day to second",
        "interval year to month");
  }

  @ParameterizedTest
  @MethodSource("unsupported")
  void unsupportedArguments(String type) {
    TestUdf1<Object, String> text = String::valueOf;
    spark.udf().register("text", text, DataTypes.StringType);
    String value =
        switch (type) {
          case "struct<x:int>" -> "named_struct('x', id)";
          case "map<string,int>" -> "map(s, id)";
          case "array<string>" -> "array(s)";
          case "array<array<int>>" -> "array(array(id))";
          case "timestamp_ntz" -> "timestamp_ntz'2026-01-02 03:04:05'";
          case "interval day to second" -> "make_dt_interval(id)";
          case "interval year to month" -> "make_ym_interval(id)";
          default -> "cast(id as " + type + ")";
        };
    String sql = "select id, text(" + value + ") from t";
    List<String> expected = rowWise(sql);
    try (ExplainLog log = new ExplainLog()) {
      Dataset<Row> result = spark.sql(sql);
      assertSame(expected, Bits.of(result.collectAsList()));
      assertTrue(!isBatched(result), () -> plan(result));
      assertEquals(
          List.of(
              "UDF 'text' stays row by row in Project, because its argument 1 is of type "
                  + type
                  + ", none of boolean, byte, short, int, long, float, double, date, timestamp,"
                  + " string, binary, and arrays of the fixed-width ones"),
          log.lines());
    }
  }

  @Test
  void unsupportedResults() {
    TestUdf1<Integer, int[]> pair = i -> new int[] {i, -i};
    TestUdf1<Integer, byte[]> bytes = i -> new byte[] {i.byteValue()};
    TestUdf1<Integer, java.math.BigDecimal> decimal = java.math.BigDecimal::valueOf;
    spark.udf().register("pair", pair, DataTypes.createArrayType(DataTypes.IntegerType));
    spark.udf().register("bytes", bytes, DataTypes.BinaryType);
    spark.udf().register("decimal_of", decimal, DataTypes.createDecimalType(20, 3));
    String sql = "select id, pair(id), bytes(id), decimal_of(id) from t";
    List<String> expected = rowWise(sql);
    try (ExplainLog log = new ExplainLog()) {
      Dataset<Row> result = spark.sql(sql);
      assertSame(expected, Bits.of(result.collectAsList()));
      assertTrue(!isBatched(result), () -> plan(result));
      assertEquals(3, log.lines().size());
      assertEquals(
          "UDF 'bytes' stays row by row in Project, because its result type binary is none of"
              + " boolean, byte, short, int, long, float, double, date, timestamp, string",
          log.lines().get(1));
    }
  }
}
