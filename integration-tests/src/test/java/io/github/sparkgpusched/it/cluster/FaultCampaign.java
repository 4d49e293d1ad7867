package io.github.sparkgpusched.it.cluster;

import io.github.sparkgpusched.it.cluster.app.Fault;
import io.github.sparkgpusched.it.cluster.app.FaultsApp;
import io.github.sparkgpusched.it.cluster.app.ProxiedPlugin;
import io.github.sparkgpusched.it.testing.CampaignRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One application of three executors of one core, with faults in its queries. */
final class FaultCampaign {
  /** The Master is to start executors again, however many of them are killed. */
  static final Map<String, String> CLUSTER = Map.of("spark.deploy.maxExecutorRetries", "-1");

  /**
   * What came of one kind of fault.
   *
   * @param times that it came while a query ran
   * @param exact answers of these queries that are plain Spark's
   * @param wrong answers of all queries that are not
   * @param withRows faults that came after rows had been lent
   * @param late queries that had ended before their fault came
   * @param failedTasks that Spark ran again
   * @param rowsLent to other executors
   * @param left what was left at the application's end; empty if nothing
   */
  record Result(
      Fault fault,
      int times,
      int exact,
      int wrong,
      int withRows,
      int late,
      int failedTasks,
      long rowsLent,
      String left) {
    boolean isGood(int wanted) {
      boolean shared = rowsLent > 0 || wanted < MANY;
      return times == wanted && exact == wanted && wrong == 0 && left.isEmpty() && shared;
    }

    /** Its row in the table of all campaigns. */
    CampaignRow row(long beginNanos, String kind) {
      List<String> what = left.isEmpty() ? List.of() : List.of(left);
      return CampaignRow.since(beginNanos, kind, times + late, times, wrong, what);
    }

    /** Values, in the order of the parts. */
    List<String> values() {
      List<String> all = new ArrayList<>(List.of(fault.text()));
      for (long value : new long[] {times, exact, wrong, withRows, late, failedTasks, rowsLent}) {
        all.add(String.valueOf(value));
      }
      all.add(left.isEmpty() ? "nothing" : left.replace(",", " and"));
      return all;
    }
  }

  /** In so many queries some rows are lent, however busy the machine is. */
  private static final int MANY = 10;

  private FaultCampaign() {}

  /** Brings so many faults of each kind; each may take a minute. */
  static List<Result> run(
      StandaloneCluster cluster, boolean proxied, int times, long seed, List<Fault> faults) {
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.executor.cores", "1");
    conf.put("spark.cores.max", "3");
    if (proxied) {
      conf.put("spark.plugins", ProxiedPlugin.class.getName());
    }
    String kinds = faults.stream().map(Fault::text).collect(Collectors.joining(","));
    List<Result> results = new ArrayList<>();
    try (Application app =
        cluster.submit(FaultsApp.class, conf, String.valueOf(times), String.valueOf(seed), kinds)) {
      Map<Fault, int[]> counts = new HashMap<>();
      Map<Fault, Long> lent = new HashMap<>();
      for (Fault fault : faults) {
        String[] parts =
            app.answer(fault.text(), Duration.ofMinutes(5).plusMinutes(times)).split(",", -1);
        lent.put(fault, Long.parseLong(parts[6]));
        counts.put(fault, Arrays.stream(parts).limit(6).mapToInt(Integer::parseInt).toArray());
      }
      String left = app.answer("left over");
      app.awaitSuccess();
      Waiting.until(() -> "an executor goes on after its application", () -> !app.hasExecutors());
      for (Fault fault : faults) {
        int[] count = counts.get(fault);
        results.add(
            new Result(
                fault,
                count[0],
                count[1],
                count[2],
                count[3],
                count[4],
                count[5],
                lent.get(fault),
                left));
      }
    }
    return results;
  }
}
