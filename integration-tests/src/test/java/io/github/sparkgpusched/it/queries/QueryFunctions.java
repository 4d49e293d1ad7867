package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Function;
import io.github.sparkgpusched.it.sql.Describe;
import io.github.sparkgpusched.it.sql.Functions;
import io.github.sparkgpusched.it.sql.Produce;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions that random queries call, of all types, with batch methods and without. */
final class QueryFunctions {
  private final SparkSession spark;
  private final List<Function> functions = new ArrayList<>();

  private QueryFunctions(SparkSession spark) {
    this.spark = spark;
  }

  /** Registers them in a session. */
  static List<Function> register(SparkSession spark) {
    QueryFunctions all = new QueryFunctions(spark);
    Functions.register(spark);
    all.add("inc", false, "double", "double");
    all.add("add", false, "double", "double", "double");
    all.add("bucket", false, "int", "int");
    all.add("is_big", false, "boolean", "double");
    all.add("shout", false, "string", "string");
    all.add("total", false, "double", "array<double>");
    spark.udf().register("sometimes", new Sometimes(), DataTypes.LongType);
    all.add("sometimes", true, "bigint", "bigint");
    all.add("sometimes", true, "bigint", "bigint");
    all.addOfTypes();
    return all.functions;
  }

  private void addOfTypes() {
    int i = 0;
    for (String name : QueryTypes.TYPES) {
      DataType type = DataType.fromDDL(name);
      boolean known = !QueryTypes.OF_SPARK_ALONE.contains(name);
      boolean batch = i++ % 2 == 0 && known;
      spark.udf().register("describe" + i, new Describe(type, batch), DataTypes.StringType);
      add("describe" + i, true, "string", name);
      if (known && !name.startsWith("array") && !name.equals("binary")) {
        spark.udf().register("produce" + i, new Produce(type, batch, true), type);
        add("produce" + i, true, name, "bigint");
      }
    }
  }

  private void add(String name, boolean nulls, String result, String... arguments) {
    functions.add(new Function(name, List.of(arguments), result, nulls));
  }
}
