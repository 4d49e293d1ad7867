package io.github.sparkgpusched.it.kills;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a seed and a number draw: a query in some tasks, and the rows at which these are killed.
 *
 * @param kills rows at which the row's task is killed, at its first call
 * @param interrupts whether the task's thread is interrupted
 * @param settings of the session, but for whether the plugin is on
 * @param switches whether tasks go from rows in place to batches and back by chance
 */
record KillCase(
    long seed,
    long number,
    String query,
    Set<Long> kills,
    boolean interrupts,
    Map<String, String> settings,
    boolean switches) {
  private static final List<String> QUERIES =
      List.of(
          "select id, f(id) from ROWS",
          "select sum(f(id)), count(*) from ROWS",
          "select count(*) from ROWS where f(id) % 3 = 0",
          "select k, max(f(id)) from (select id, id % 7 k from ROWS) group by k",
          "select id, f(f(id) - 1) from ROWS",
          "select a.id, b.id from ROWS a join range(0, 60) b on f(a.id) = b.id",
          "select /*+ merge(b) */ a.id, b.id from ROWS a join range(0, 60) b on f(a.id) = b.id",
          "select id from ROWS where f(id) in (select f(-id) from range(0, 9, 1, 1))",
          "select id, f(id), sum(id) over (partition by id % 5 order by id) from ROWS",
          "select id, max(f(id)) over (partition by id % 5) from ROWS",
          "select id, e from ROWS lateral view explode(array(f(id), id)) x as e",
          "select f(id) v from ROWS order by v desc limit 100",
          "select f(id) from ROWS union all select f(-id) from range(0, 9, 1, 1)",
          "select distinct f(id) % 9 from ROWS");

  private static final int MOST_KILLS_OF_A_TASK = 3;

  static KillCase of(long seed, long number) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    int tasks = 1 + random.nextInt(6);
    int rows = tasks * (50 + random.nextInt(random.nextBoolean() ? 100 : 3_000));
    Set<Long> kills = new TreeSet<>();
    for (int task = 0; task < tasks; task++) {
      for (int kill = random.nextInt(MOST_KILLS_OF_A_TASK + 1); kill > 0; kill--) {
        kills.add(task * (long) (rows / tasks) + random.nextInt(rows / tasks));
      }
    }
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.adaptive.enabled", one(random, "true", "false"));
    settings.put("spark.sql.codegen.wholeStage", one(random, "true", "true", "false"));
    settings.put("spark.gpusched.batch.rows", one(random, "7", "100", "1000", "16384"));
    String batching = one(random, "always", "always", "auto");
    settings.put("spark.gpusched.batching", batching);
    return new KillCase(
        seed,
        number,
        one(random, QUERIES.toArray(String[]::new))
            .replace("ROWS", "range(0, " + rows + ", 1, " + tasks + ")"),
        kills,
        random.nextBoolean(),
        settings,
        batching.equals("auto") && random.nextBoolean());
  }

  private static String one(SplittableRandom random, String... of) {
    return of[random.nextInt(of.length)];
  }
}
