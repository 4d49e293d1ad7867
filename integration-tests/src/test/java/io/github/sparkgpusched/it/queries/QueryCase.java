package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import io.github.sparkgpusched.it.queries.RandomExpressions.Function;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What a seed and a number draw: a query, how it is to be run, and a fault in it.
 *
 * @param settings of the session, but for whether the plugin is on
 * @param switches whether tasks go from rows in place to batches and back by chance
 * @param nth which call the fault is to come at
 */
record QueryCase(
    long seed,
    long number,
    SqlNode query,
    Map<String, String> settings,
    boolean switches,
    QueryFault fault,
    int nth) {
  static QueryCase of(
      long seed, long number, List<Function> functions, Map<String, List<Column>> tables) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    RandomExpressions expressions = new RandomExpressions(random, functions);
    SqlNode query = new RandomQueries(random, expressions, tables).next();
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.adaptive.enabled", expressions.one(List.of("true", "false")));
    settings.put("spark.sql.codegen.wholeStage", expressions.one(List.of("true", "true", "false")));
    settings.put(
        "spark.sql.parquet.enableVectorizedReader", expressions.one(List.of("true", "false")));
    settings.put("spark.sql.shuffle.partitions", expressions.one(List.of("1", "2", "5")));
    settings.put("spark.sql.ansi.enabled", expressions.one(List.of("true", "true", "false")));
    settings.put(
        "spark.sql.autoBroadcastJoinThreshold", expressions.one(List.of("-1", "10485760")));
    settings.put("spark.sql.join.preferSortMergeJoin", expressions.one(List.of("true", "false")));
    settings.put(
        "spark.gpusched.batch.rows", expressions.one(List.of("1", "7", "100", "16384", "65536")));
    String batching = expressions.one(List.of("always", "always", "auto", "never"));
    settings.put("spark.gpusched.batching", batching);
    boolean switches = batching.equals("auto") && random.nextInt(4) > 0;
    QueryFault fault = expressions.one(List.of(QueryFault.values()));
    return new QueryCase(seed, number, query, settings, switches, fault, 1 + random.nextInt(200));
  }

  QueryCase with(SqlNode smaller) {
    return new QueryCase(seed, number, smaller, settings, switches, fault, nth);
  }
}
