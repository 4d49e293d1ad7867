package io.github.sparkgpusched.it.cluster;

import io.github.sparkgpusched.it.cluster.app.SoakApp;
import io.github.sparkgpusched.it.queries.QuerySettings;
import io.github.sparkgpusched.it.testing.CampaignOptions;
import io.github.sparkgpusched.it.testing.CampaignRow;
import io.github.sparkgpusched.it.testing.Footprint;
import io.github.sparkgpusched.it.testing.Slope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * {@code integration-tests/campaign soak}: one application on a standalone cluster for as long as
 * is asked for. Its driver and executors may not grow. Ends with status 1 if one does, or an answer
 * is wrong.
 */
final class SoakCampaign {
  private static final Path CSV = Path.of("target", "campaign", "soak.csv");
  private static final Pattern LOOK = Pattern.compile("(?m)^look: ([^,]+),([0-9]+),(.*)$");

  /** Looks in a run; fewer minutes have them closer together. */
  private static final int LOOKS = 120;

  private static final double LEAST_SECONDS = 15;

  /** Of one core each. */
  private static final int EXECUTORS = 2;

  /**
   * The first part is the JIT compiler's, and that of tables that fill up to their limits; it lasts
   * until each query has come twice, too.
   */
  private static final double WARM = 1.0 / 3;

  /** What is called nothing: classes, buffers and threads come in pieces. */
  private static final double NO_BYTES = 2 << 20;

  private static final double NO_COUNT = 3;

  /** What keeps the past, code too, is to be full within minutes. */
  private static final Map<String, String> SHORT_LISTS =
      Map.of(
          "spark.sql.codegen.cache.maxEntries", "100",
          // A session's class loader has a name and a lock of each class that was asked for.
          "spark.executor.isolatedSessionCache.size", "6",
          "spark.ui.retainedJobs", "50",
          "spark.ui.retainedStages", "50",
          "spark.ui.retainedTasks", "500",
          "spark.sql.ui.retainedExecutions", "20",
          "spark.gpusched.ui.retainedStages", "50",
          "spark.gpusched.ui.retainedSpans", "500",
          "spark.gpusched.ui.retainedEvents", "50");

  private SoakCampaign() {}

  /**
   * Runs it.
   *
   * @param args {@code --minutes M}, {@code --seed S}
   */
  public static void main(String[] args) throws IOException {
    long begin = System.nanoTime();
    CampaignOptions options = new CampaignOptions(args);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(options.nanos(60));
    double between = Math.max(LEAST_SECONDS, (double) seconds / LOOKS);
    System.out.println("seed " + options.seed());
    Map<String, String> conf = new HashMap<>(QuerySettings.OF_SPARK);
    conf.putAll(SHORT_LISTS);
    conf.put("spark.executor.cores", "1");
    conf.put("spark.cores.max", String.valueOf(EXECUTORS));
    try (StandaloneCluster cluster = StandaloneCluster.start("soak", 1);
        Application app =
            cluster.submit(
                SoakApp.class,
                conf,
                String.valueOf(seconds),
                String.valueOf(options.seed()),
                String.valueOf(between))) {
      long wrong = Long.parseLong(app.answer("wrong", Duration.ofSeconds(seconds).plusMinutes(10)));
      long queries = Long.parseLong(app.answer("queries"));
      long faults = Long.parseLong(app.answer("faults"));
      List<String> left = new ArrayList<>();
      for (String what : List.of("answered", "batched", "cancelled")) {
        long count = Long.parseLong(app.answer(what));
        System.out.println("queries that were " + what + ": " + count);
        if (count == 0) {
          left.add("no query was " + what);
        }
      }
      double warmSecond = Double.parseDouble(app.answer("warm second"));
      String over = app.answer("left over");
      if (!over.isEmpty()) {
        left.add(over);
      }
      app.awaitSuccess();
      if (wrong > 0) {
        app.log().lines().filter(line -> line.startsWith("NOT AS")).forEach(System.out::println);
      }
      if (warmSecond < 0) {
        left.add("too few queries to say whether it grows: give more --minutes");
      } else {
        left.addAll(grown(looks(app.log()), warmSecond));
      }
      CampaignRow row = CampaignRow.since(begin, "soak", queries, faults, wrong, left);
      row.print();
      System.exit(row.isGood() ? 0 : 1);
    }
  }

  /** By process, what it was at which second; written as CSV too. */
  private static Map<String, NavigableMap<Double, Footprint>> looks(String log) throws IOException {
    Map<String, NavigableMap<Double, Footprint>> looks = new TreeMap<>();
    List<String> csv =
        new ArrayList<>(List.of("process,second," + String.join(",", Footprint.SERIES)));
    LOOK.matcher(log)
        .results()
        .forEach(
            look -> {
              csv.add(look.group(0).substring("look: ".length()));
              looks
                  .computeIfAbsent(look.group(1), process -> new TreeMap<>())
                  .put(Double.parseDouble(look.group(2)), Footprint.of(look.group(3)));
            });
    Files.createDirectories(CSV.getParent());
    Files.write(CSV, csv);
    return looks;
  }

  /** Prints how each series of each process grows once it is warm; what does by more than noise. */
  private static List<String> grown(
      Map<String, NavigableMap<Double, Footprint>> looks, double warmSecond) {
    List<String> grown = new ArrayList<>();
    if (!looks.containsKey("driver") || looks.size() <= EXECUTORS) {
      grown.add("there were looks at " + looks.keySet() + " alone");
    }
    System.out.println("| process | what | first | last | an hour | grown | noise | |");
    System.out.println("|---|---|--:|--:|--:|--:|--:|---|");
    looks.forEach(
        (process, all) -> {
          Map<Double, Footprint> warm =
              all.tailMap(Math.max(WARM * all.lastKey(), warmSecond), true);
          if (warm.size() < 3) {
            grown.add(process + ": " + warm.size() + " looks are too few");
            return;
          }
          for (int i = 0; i < Footprint.SERIES.size(); i++) {
            tell(process, i, warm, grown);
          }
        });
    return grown;
  }

  private static void tell(
      String process, int which, Map<Double, Footprint> looks, List<String> grown) {
    double[] seconds = looks.keySet().stream().mapToDouble(Double::doubleValue).toArray();
    double[] values =
        looks.values().stream().mapToDouble(look -> look.values().get(which)).toArray();
    Slope slope = Slope.of(seconds, values);
    boolean bytes = which < Footprint.OF_BYTES;
    boolean flat = slope.isFlat(bytes ? NO_BYTES : NO_COUNT);
    double unit = bytes ? 1 << 20 : 1;
    String name = Footprint.SERIES.get(which) + (bytes ? " [MiB]" : "");
    System.out.printf(
        "| %s | %s | %.1f | %.1f | %+.2f | %+.2f | %.2f | %s |%n",
        process,
        name,
        values[0] / unit,
        values[values.length - 1] / unit,
        slope.perHour() / unit,
        slope.grown() / unit,
        slope.noise() / unit,
        flat ? "flat" : "**grows**");
    if (!flat) {
      grown.add(String.format("%s of %s grew by %.1f", name, process, slope.grown() / unit));
    }
  }
}
