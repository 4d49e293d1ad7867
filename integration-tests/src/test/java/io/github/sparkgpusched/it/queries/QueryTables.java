package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import io.github.sparkgpusched.it.sql.RandomValues;
import io.github.sparkgpusched.it.sql.Tables;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** The tables that random queries read: from Parquet, and the same from Spark's cache. */
final class QueryTables {
  private static final int ROWS = 300;

  private QueryTables() {}

  /** The columns of all tables, which are views of a session afterwards. */
  static Map<String, List<Column>> views(SparkSession spark) {
    Tables.create(spark);
    Path types = TestSpark.directory("v");
    if (!Files.exists(types)) {
      writeTypes(spark, types.toString());
    }
    spark.read().parquet(types.toString()).createOrReplaceTempView("v");
    Map<String, List<Column>> tables = new TreeMap<>();
    for (String table : List.of("t", "u", "v")) {
      // Another plan than that of the table: Spark would read that from its cache, too.
      spark.table(table).coalesce(2).createOrReplaceTempView("cached_" + table);
      spark.catalog().cacheTable("cached_" + table);
      // Now, with the settings of its plan: plain Spark fails where a query fills it with others.
      spark.table("cached_" + table).count();
      for (String name : List.of(table, "cached_" + table)) {
        tables.put(
            name,
            Stream.of(spark.table(name).schema().fields())
                .map(
                    field ->
                        new Column(field.name(), field.dataType().sql().toLowerCase(Locale.ROOT)))
                .toList());
      }
    }
    return tables;
  }

  /** Values of all types, special ones often, and columns of types that no function takes. */
  private static void writeTypes(SparkSession spark, String path) {
    StructType schema = new StructType();
    for (String type : QueryTypes.TYPES) {
      if (!QueryTypes.OF_SPARK_ALONE.contains(type)) {
        schema = schema.add("v" + schema.size(), DataType.fromDDL(type));
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      RandomValues random = new RandomValues(row);
      rows.add(
          RowFactory.create(
              Stream.of(schema.fields()).map(field -> random.orNull(field.dataType())).toArray()));
    }
    spark
        .createDataFrame(rows, schema)
        .selectExpr(
            "*",
            "cast(v3 / 7 as decimal(20,3)) money",
            "cast(v8 as timestamp_ntz) wall",
            "array(v9, null, 'x') texts",
            "named_struct('a', v6, 'b', v9) pair",
            "map('k', v9, 'l', null) named",
            "make_dt_interval(0, v2 % 24) hours",
            "make_ym_interval(1, v2 % 12) months",
            "cast(v4 % 1000 as decimal(38,18)) exact")
        .repartition(3)
        .write()
        .parquet(path);
  }
}
