package io.github.sparkgpusched.bench.simulate.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clusters with executors that lend each other cores: tables, CSV, and bars. */
public final class ClusterBench {
  /** Who is told of figures that have a limit. */
  public interface Limits {
    /** A figure is to be no more than a limit. */
    void atMost(String what, double measured, double limit, String note);
  }

  private static final String HEAD =
      "| cluster | work | | bound | median / worst | moved | peak messages/s | mean | question"
          + " [us] |%n| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |%n";

  private static final double ROW_NANOS = 50_000;
  private static final double CHEAP_NANOS = 500;

  /** Where a cluster is so unbalanced that its stage has too many batches to be simulated. */
  private static final double LONG_ROW_NANOS = 500_000;

  private static final int SEEDS = 3;

  /** Executors die that may be lenders, or the one with the heavy partition. */
  private static final int TROUBLED_SEEDS = 9;

  private final boolean full;
  private final Limits limits;
  private final PrintStream out;
  private final List<ClusterCase> all = new ArrayList<>();

  private ClusterBench(boolean full, Limits limits, PrintStream out) {
    this.full = full;
    this.limits = limits;
    this.out = out;
  }

  /** Runs all cases. */
  public static void run(boolean full, Limits limits, Path directory, PrintStream out)
      throws IOException {
    new ClusterBench(full, limits, out).run(directory);
  }

  private void run(Path directory) throws IOException {
    small();
    others();
    troubles();
    large();
    placement();
    StringBuilder lines = new StringBuilder(ClusterCase.CSV_HEADER);
    all.forEach(c -> lines.append(c.csv()));
    Path file = directory.resolve("simulate-cluster.csv");
    Files.writeString(file, lines.toString(), StandardCharsets.UTF_8);
    out.println("written: " + file);
  }

  private static Load load(int heavy, double seconds) {
    return new Load(heavy, seconds * 1e9, ROW_NANOS);
  }

  private void small() {
    List<ClusterCase> cases = new ArrayList<>();
    for (Variant variant : List.of(Variant.AS_IT_IS, Variant.ALONE, Variant.SPECULATION)) {
      cases.add(new ClusterCase("small", 8, 8, load(1, 4), variant, SEEDS));
    }
    cases.add(new ClusterCase("small", 8, 8, load(1, 20), Variant.AS_IT_IS, SEEDS));
    run("8 executors of 8 cores, one partition with 90% of the work", cases);
    for (ClusterCase c : cases) {
      if (c.variant.equals(Variant.AS_IT_IS)) {
        String what =
            String.format(Locale.ROOT, "8 x 8, one heavy, %.0f s", c.load.boundNanos() / 1e9);
        limits.atMost(
            what, c.median().ratio(), 1.15, String.format(Locale.ROOT, "worst %.2f", c.worst()));
      }
    }
  }

  private void others() {
    List<ClusterCase> cases = new ArrayList<>();
    cases.add(new ClusterCase("other", 8, 8, load(10, 4), Variant.AS_IT_IS, SEEDS));
    cases.add(new ClusterCase("other", 8, 8, load(0, 4), Variant.ALONE, SEEDS));
    ClusterCase even = new ClusterCase("other", 8, 8, load(0, 4), Variant.AS_IT_IS, SEEDS);
    cases.add(even);
    Load cheapLoad = new Load(0, 0.05e9, CHEAP_NANOS);
    ClusterCase cheap = new ClusterCase("other", 8, 8, cheapLoad, Variant.AS_IT_IS, SEEDS);
    cases.add(cheap);
    run("8 executors of 8 cores, other work", cases);
    limits.atMost("8 x 8, even: messages an executor and second", even.messagesEach(), 1, "");
    limits.atMost("8 x 8, cheap: rows that move", (double) cheap.median().moved(), 0, "");
  }

  /** What goes wrong on the way, and executors that die. */
  private void troubles() {
    List<Variant> variants =
        List.of(
            Variant.AS_IT_IS,
            new Variant("round trips of 10 ms", setting -> setting.roundTripNanos = 10_000_000),
            new Variant("1 Gbit/s, rows of 1 KB", ClusterBench::narrow),
            new Variant("each way up to 11 times as long", setting -> setting.jitter = 10),
            new Variant("one answer of 10,000 lost", setting -> setting.lost = 1e-4),
            new Variant("the same, rows may run twice", ClusterBench::loseAndRunTwice),
            new Variant("an executor dies after 1 s", setting -> die(setting, 1)),
            new Variant("three die after 1, 2, and 3 s", setting -> die(setting, 3)));
    List<ClusterCase> cases = new ArrayList<>();
    for (Variant variant : variants) {
      cases.add(new ClusterCase("trouble", 8, 8, load(1, 4), variant, TROUBLED_SEEDS));
    }
    run("8 executors of 8 cores, one partition with 90% of the work, in trouble", cases);
  }

  private static void loseAndRunTwice(Setting setting) {
    setting.lost = 1e-4;
    setting.mayRunTwice = true;
  }

  private static void narrow(Setting setting) {
    setting.bytesPerSecond = 1.25e8;
    setting.rowBytes = 1024;
  }

  private static void die(Setting setting, int executors) {
    for (int i = 0; i < executors; i++) {
      setting.deaths.add(new Setting.Death(i, (i + 1) * 1_000_000_000L));
    }
  }

  private void large() {
    List<ClusterCase> cases = new ArrayList<>();
    double seconds = full ? 4 : 1;
    ClusterCase hundred =
        new ClusterCase("large", 500, 8, load(100, seconds), Variant.AS_IT_IS, SEEDS);
    cases.add(hundred);
    for (int heavy : new int[] {1, 10}) {
      Load load = new Load(heavy, 1e9, LONG_ROW_NANOS);
      for (Variant variant : List.of(Variant.AS_IT_IS, Variant.AS_IT_IS.borrowing(256))) {
        cases.add(new ClusterCase("large", 500, 8, load, variant, full ? SEEDS : 1));
      }
    }
    Load evenLoad = new Load(0, 1e9, LONG_ROW_NANOS);
    ClusterCase even = new ClusterCase("large", 500, 8, evenLoad, Variant.AS_IT_IS, SEEDS);
    cases.add(even);
    run("500 executors of 8 cores; rows of 500 us but for a hundred heavy partitions", cases);
    String what = "500 x 8, 100 heavy";
    limits.atMost(
        what,
        hundred.median().ratio(),
        1.3,
        String.format(Locale.ROOT, "worst %.2f", hundred.worst()));
    for (ClusterCase c : cases) {
      String of = "500 x 8, " + c.load.name() + ", " + c.variant.name() + ": peak messages/s";
      limits.atMost(of, c.peak(), 1_999, "");
    }
    limits.atMost("500 x 8, even: messages an executor and second", even.messagesEach(), 1, "");
  }

  /** Whether it helps to begin where there is room. */
  private void placement() {
    List<ClusterCase> cases = new ArrayList<>();
    for (int executors : new int[] {8, 64, 512}) {
      Load load = new Load(executors / 8, 1e9, LONG_ROW_NANOS);
      Variant fifo = new Variant("stealing", ClusterBench::halfBusy);
      Variant byLoad =
          fifo.and(
              "stealing, placed by load",
              new Variant("", setting -> setting.placing = Setting.Placing.BY_LOAD));
      for (Variant variant : List.of(fifo, byLoad)) {
        cases.add(new ClusterCase("placement", executors, 8, load, variant, SEEDS));
      }
    }
    run("Heavy partitions on one executor of eight; half of the executors half busy", cases);
    for (int i = 0; i < cases.size(); i += 2) {
      double gain = 1 - cases.get(i + 1).median().ratio() / cases.get(i).median().ratio();
      out.printf(
          Locale.ROOT,
          "%d executors: placing by load takes %.1f%% off%n",
          cases.get(i).executors,
          100 * gain);
    }
  }

  /** For half of the time that the stage should take. */
  private static void halfBusy(Setting setting) {
    setting.busyExecutors = 0.5;
    setting.busyCores = setting.cores / 2;
    setting.busyNanos = 500_000_000;
  }

  private void run(String title, List<ClusterCase> cases) {
    out.printf("%n## %s%n%n" + HEAD, title);
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<List<Future<?>>> running = new ArrayList<>();
      for (ClusterCase c : cases) {
        running.add(submit(c, threads));
      }
      for (int i = 0; i < cases.size(); i++) {
        for (Future<?> seed : running.get(i)) {
          seed.get();
        }
        out.print(cases.get(i).row());
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("a cluster could not be simulated", e);
    } finally {
      threads.shutdownNow();
    }
    all.addAll(cases);
  }

  private static List<Future<?>> submit(ClusterCase c, ExecutorService threads) {
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < c.seeds(); i++) {
      int seed = i;
      futures.add(threads.submit(() -> c.run(seed)));
    }
    return futures;
  }
}
