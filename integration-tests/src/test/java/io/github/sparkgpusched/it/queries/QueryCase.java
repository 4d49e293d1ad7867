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
 * @param settings of the session, but for whether the plugin is on and {@code plugin}
 * @param plugin the plugin's settings
 * @param switches whether tasks go from rows in place to batches and back by chance
 * @param nth which call the fault is to come at
 */
record QueryCase(
    long seed,
    long number,
    SqlNode query,
    QueryAction action,
    Map<String, String> settings,
    Map<String, String> plugin,
    boolean switches,
    QueryFault fault,
    int nth) {
  private static final List<String> EITHER = List.of("true", "false");

  /** Settings that are drawn, each one of its values. */
  private static final Map<String, List<String>> SETTINGS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("spark.sql.adaptive.enabled", EITHER),
              Map.entry("spark.sql.adaptive.coalescePartitions.enabled", EITHER),
              Map.entry("spark.sql.adaptive.autoBroadcastJoinThreshold", List.of("-1", "10485760")),
              Map.entry("spark.sql.adaptive.skewJoin.enabled", EITHER),
              Map.entry("spark.sql.ansi.enabled", List.of("true", "true", "false")),
              Map.entry("spark.sql.autoBroadcastJoinThreshold", List.of("-1", "10485760")),
              Map.entry("spark.sql.codegen.wholeStage", List.of("true", "true", "false")),
              // Few fields: wider nodes are computed without whole-stage code.
              Map.entry("spark.sql.codegen.maxFields", List.of("100", "100", "4")),
              Map.entry("spark.sql.columnVector.offheap.enabled", EITHER),
              Map.entry("spark.sql.execution.useObjectHashAggregateExec", EITHER),
              Map.entry("spark.sql.files.maxPartitionBytes", List.of("64k", "128m")),
              Map.entry("spark.sql.inMemoryColumnarStorage.enableVectorizedReader", EITHER),
              Map.entry("spark.sql.join.preferSortMergeJoin", EITHER),
              Map.entry("spark.sql.parquet.columnarReaderBatchSize", List.of("3", "4096")),
              Map.entry("spark.sql.parquet.enableVectorizedReader", EITHER),
              Map.entry("spark.sql.session.timeZone", List.of("UTC", "Asia/Kathmandu")),
              Map.entry("spark.sql.shuffle.partitions", List.of("1", "2", "5")),
              Map.entry(
                  "spark.sql.sortMergeJoinExec.buffer.in.memory.threshold", List.of("4", "4096")),
              Map.entry("spark.sql.subexpressionElimination.enabled", EITHER),
              Map.entry("spark.sql.windowExec.buffer.in.memory.threshold", List.of("4", "4096"))));

  private static final Map<String, List<String>> OF_PLUGIN =
      new TreeMap<>(
          Map.of(
              "spark.gpusched.batch.bytes",
              List.of("64k", "64m"),
              "spark.gpusched.batch.rows",
              List.of("1", "7", "100", "16384", "65536"),
              "spark.gpusched.batching",
              List.of("always", "always", "auto", "never"),
              "spark.gpusched.priority",
              List.of("-10", "0", "10"),
              "spark.gpusched.strategy",
              List.of("adaptive", "adaptive", "static", "fixed", "tree")));

  static QueryCase of(
      long seed, long number, List<Function> functions, Map<String, List<Column>> tables) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    RandomExpressions expressions = new RandomExpressions(random, functions);
    SqlNode query = new RandomQueries(random, expressions, tables).next();
    Map<String, String> settings = draw(SETTINGS, random);
    Map<String, String> plugin = draw(OF_PLUGIN, random);
    boolean switches = isToSwitch(plugin, random);
    QueryAction action =
        random.nextInt(8) < 5
            ? QueryAction.COLLECTED
            : expressions.one(List.of(QueryAction.values()));
    QueryFault fault = expressions.one(List.of(QueryFault.values()));
    return new QueryCase(
        seed, number, query, action, settings, plugin, switches, fault, 1 + random.nextInt(200));
  }

  QueryCase with(SqlNode smaller) {
    return new QueryCase(seed, number, smaller, action, settings, plugin, switches, fault, nth);
  }

  /** The same with other settings of the plugin, drawn for it; of 0, this one. */
  QueryCase variant(int which) {
    if (which == 0) {
      return this;
    }
    SplittableRandom random =
        new SplittableRandom(seed * 1_000_003 + number + ((long) which << 40));
    Map<String, String> others = draw(OF_PLUGIN, random);
    return new QueryCase(
        seed, number, query, action, settings, others, isToSwitch(others, random), fault, nth);
  }

  private static Map<String, String> draw(
      Map<String, List<String>> values, SplittableRandom random) {
    Map<String, String> drawn = new TreeMap<>();
    values.forEach((key, all) -> drawn.put(key, all.get(random.nextInt(all.size()))));
    return drawn;
  }

  private static boolean isToSwitch(Map<String, String> plugin, SplittableRandom random) {
    return plugin.get("spark.gpusched.batching").equals("auto") && random.nextInt(4) > 0;
  }
}
