package io.github.sparkgpusched.it.udfs;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What a seed and a number draw: a hostile UDF, a query that calls it, and how that is run.
 *
 * @param at the row at which the mischief comes
 * @param settings of the session, but for whether the plugin is on
 * @param switches whether tasks go from rows in place to batches and back by chance
 */
record HostileCase(
    long seed,
    long number,
    Mischief mischief,
    long at,
    String query,
    Map<String, String> settings,
    boolean switches) {
  private static final List<String> QUERIES =
      List.of(
          "select id, h(id) from ROWS",
          "select sum(h(id)), count(*) from ROWS",
          "select count(*) from ROWS where h(id) % 3 = 0",
          "select k, max(h(id)) from (select id, id % 7 k from ROWS) group by k",
          "select id, h(h(id) - 1) from ROWS",
          // An error of a key that is broadcast is the driver's, and comes as it is thrown.
          "select /*+ broadcast(a) */ a.id from ROWS a join range(0, 50) b on h(a.id) = b.id",
          "select /*+ broadcast(b) */ a.id from ROWS a join range(0, 50) b on h(a.id) = b.id",
          "select id, if(id % 3 = 0, h(id), 0) from ROWS",
          "select id, h(id), sum(id) over (partition by id % 5 order by id) from ROWS");

  static HostileCase of(long seed, long number) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    Mischief[] all = Mischief.values();
    Mischief mischief = all[(int) (number % all.length)];
    int rows = 1 + random.nextInt(random.nextBoolean() ? 60 : 3_000);
    String from = "range(0, " + rows + ", 1, " + (1 + random.nextInt(4)) + ")";
    String query = one(random, QUERIES).replace("ROWS", from);
    if (mischief.isOfTasks() && query.contains(" join ")) {
      // Plain Spark computes keys of what it broadcasts on the driver, without a task.
      query = QUERIES.get(0).replace("ROWS", from);
    }
    if (mischief == Mischief.CHANGES_ITS_ARGUMENT) {
      query = "select id, h(cast(concat('a', id) as binary)) from " + from;
    }
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.adaptive.enabled", one(random, List.of("true", "false")));
    settings.put("spark.sql.codegen.wholeStage", one(random, List.of("true", "true", "false")));
    settings.put("spark.sql.ansi.enabled", one(random, List.of("true", "false")));
    settings.put(
        "spark.gpusched.batch.rows", one(random, List.of("1", "7", "100", "16384", "65536")));
    String batching = one(random, List.of("always", "always", "auto", "never"));
    settings.put("spark.gpusched.batching", batching);
    boolean switches = batching.equals("auto") && random.nextInt(4) > 0;
    return new HostileCase(seed, number, mischief, random.nextInt(rows), query, settings, switches);
  }

  private static String one(SplittableRandom random, List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
