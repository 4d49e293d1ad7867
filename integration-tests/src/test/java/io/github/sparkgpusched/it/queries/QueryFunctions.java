package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Function;
import io.github.sparkgpusched.it.sql.Describe;
import io.github.sparkgpusched.it.sql.Functions;
import io.github.sparkgpusched.it.sql.Produce;
import io.github.sparkgpusched.it.testing.Unmarked;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions that random queries call, of all types, with batch methods and without. */
final class QueryFunctions {
  private final SparkSession spark;
  private final SparkSession plain;
  private final List<Function> functions = new ArrayList<>();

  private QueryFunctions(SparkSession spark, SparkSession plain) {
    this.spark = spark;
    this.plain = plain;
  }

  /**
   * Registers them in a session.
   *
   * @param plain has the same functions, in which the plugin sees nothing of its own
   */
  static List<Function> register(SparkSession spark, SparkSession plain) {
    QueryFunctions all = new QueryFunctions(spark, plain);
    Functions.register(spark);
    Functions.registerUnmarked(plain);
    all.add("inc", false, "double", "double");
    all.add("add", false, "double", "double", "double");
    all.add("bucket", false, "int", "int");
    all.add("is_big", false, "boolean", "double");
    all.add("shout", false, "string", "string");
    all.add("total", false, "double", "array<double>");
    all.register("sometimes", new Sometimes(), DataTypes.LongType);
    all.add("sometimes", true, "bigint", "bigint");
    all.add("sometimes", true, "bigint", "bigint");
    for (int i = 0; i < QueryTypes.TYPES.size(); i++) {
      all.addOfType(QueryTypes.TYPES.get(i), String.valueOf(i));
    }
    return all.functions;
  }

  private void addOfType(String name, String number) {
    addRowWise(name, "_rows" + number, false);
    // A batch method is given a string's bytes, and a row's is given what Java makes of them.
    if (!QueryTypes.OF_SPARK_ALONE.contains(name) && !name.equals("string")) {
      addRowWise(name, number, true);
    }
  }

  private void addRowWise(String name, String suffix, boolean batch) {
    DataType type = DataType.fromDDL(name);
    register("describe" + suffix, new Describe(type, batch), DataTypes.StringType);
    add("describe" + suffix, true, "string", name);
    boolean known = !QueryTypes.OF_SPARK_ALONE.contains(name);
    if (known && !name.startsWith("array") && !name.equals("binary")) {
      register("produce" + suffix, new Produce(type, batch, true), type);
      add("produce" + suffix, true, name, "bigint");
    }
  }

  private <A, R> void register(String name, UDF1<A, R> function, DataType type) {
    spark.udf().register(name, function, type);
    plain.udf().register(name, Unmarked.of(function), type);
  }

  private void add(String name, boolean nulls, String result, String... arguments) {
    functions.add(new Function(name, List.of(arguments), result, nulls));
  }
}
