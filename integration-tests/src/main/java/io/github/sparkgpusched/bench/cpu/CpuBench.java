package io.github.sparkgpusched.bench.cpu;

import io.github.sparkgpusched.bench.simulate.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * All strategies on this machine's threads, beside the JDK's own ways: time over the ideal, which
 * is the plain loop's time divided by the number of workers, measured in the same round.
 *
 * <p>Usage: {@code CpuBench OUT_DIRECTORY [SECONDS [KERNEL]]}: about so many seconds in all, though
 * each kernel has at least five rounds. With a part of a kernel's name only such kernels, each in
 * the time that it has among all, and no tables.
 */
public final class CpuBench {
  private static final int ONE_ADD_ROWS = 200_000_000;
  private static final int GENERIC_ROWS = 100_000;
  private static final int MOST_ROWS = 1_000_000;
  private static final double KERNEL_NANOS = 200e6;

  /** A one-add loop counts as so many kernels: a round of it takes longer, and has to be exact. */
  private static final int ONE_ADD_SHARE = 6;

  private static final String ONE_ADD = "one-add";

  /** A step at the end that lies in the last part of those who divide rows beforehand. */
  private static final String NARROW = "narrow-last";

  private CpuBench() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    double seconds = args.length > 1 ? Double.parseDouble(args[1]) : 180;
    String part = args.length > 2 ? args[2] : "";
    Files.createDirectories(out);
    // Two workers need two cores that nobody else wants.
    System.out.printf(
        Locale.ROOT,
        "load of this machine before: %.1f, of %d cores%n%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
    double share =
        seconds / (2 * ONE_ADD_SHARE + 1.2 * Workload.GENERIC.size() + Workload.PAPER.size());
    List<Row> rows = new ArrayList<>();
    Map<String, Double> best = new TreeMap<>();
    try (Ways one = new Ways(1);
        Ways two = new Ways(2)) {
      if (ONE_ADD.contains(part)) {
        Kernel add = new OneAdd(ONE_ADD_ROWS);
        measure(rows, ONE_ADD, add, one.all(), 1, ONE_ADD_SHARE * share);
        measure(rows, ONE_ADD, add, two.all(), 2, ONE_ADD_SHARE * share);
      }
      double steps = KERNEL_NANOS * Arithmetic.stepsPerNano();
      for (Workload.Shape shape : shapes(part)) {
        long paperRows = shape.paperRows();
        int count = paperRows == 0 ? GENERIC_ROWS : (int) Math.min(MOST_ROWS, paperRows);
        Arithmetic kernel = Arithmetic.of(shape, count, steps);
        if (Workload.GENERIC.contains(shape)) {
          measure(rows, shape.name(), kernel, one.all().subList(0, 1), 1, 0.2 * share);
        }
        measure(rows, shape.name(), kernel, two.all(), 2, share);
        double reachable = kernel.reachable(2);
        if (reachable > 1.01) {
          best.put(shape.name(), reachable);
        }
      }
      if (part.isEmpty()) {
        Tables tables = new Tables(rows, two.all().stream().map(Way::name).toList(), best);
        tables.print(System.out);
      }
      System.out.println("\nWhole rows cannot be divided better than: " + best);
    }
    StringBuilder csv = new StringBuilder("workload,workers,strategy,ratioToIdeal\n");
    for (Row row : rows) {
      csv.append(
          String.format(
              Locale.ROOT,
              "%s,%d,%s,%.4f%n",
              row.workload(),
              row.workers(),
              row.way(),
              row.ratio()));
    }
    Path file = out.resolve("cpu.csv");
    Files.writeString(file, csv, StandardCharsets.UTF_8);
    System.out.println("written: " + file);
  }

  private static List<Workload.Shape> shapes(String part) {
    List<Workload.Shape> shapes = new ArrayList<>(Workload.GENERIC);
    shapes.add(Workload.shape(NARROW));
    shapes.addAll(Workload.PAPER);
    shapes.removeIf(shape -> !shape.name().contains(part));
    return shapes;
  }

  /** One measured ratio. */
  record Row(String workload, int workers, String way, double ratio) {}

  private static void measure(
      List<Row> rows, String workload, Kernel kernel, List<Way> ways, int workers, double seconds) {
    Map<String, Double> ratios = Measurement.ratios(kernel, ways, workers, seconds);
    System.err.printf(
        Locale.ROOT,
        "%s, %d workers: %s %.3f%n",
        workload,
        workers,
        Ways.ADAPTIVE,
        ratios.get(Ways.ADAPTIVE));
    ratios.forEach((way, ratio) -> rows.add(new Row(workload, workers, way, ratio)));
  }

  /**
   * What of the rows is shown, and held to the bars.
   *
   * @param best of kernels whose rows cannot be divided evenly, what the best division comes to;
   *     the bars are for what a way takes beyond that
   */
  private record Tables(List<Row> rows, List<String> ways, Map<String, Double> best) {
    private static final int KERNELS_WORKERS = 2;

    void print(PrintStream out) {
      out.println(
          "| way | one-add, 1 worker | one-add, 2 workers | generic, 2 workers: mean / worst |"
              + " the paper's: mean / worst | narrow-last |");
      out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
      for (String way : ways) {
        out.printf(
            Locale.ROOT,
            "| %s | %.3f | %.3f | %.3f / %.2f | %.3f / %.2f | %.2f |%n",
            way,
            one(ONE_ADD, 1, way),
            one(ONE_ADD, 2, way),
            mean(way, false),
            worst(way, false),
            mean(way, true),
            worst(way, true),
            one(NARROW, 2, way));
      }
      bars(out);
    }

    private void bars(PrintStream out) {
      String ours = Ways.ADAPTIVE;
      List<Row> kernels = rows.stream().filter(r -> isKernel(r, ours)).toList();
      Row worst = kernels.stream().max(Comparator.comparingDouble(this::beyondBest)).orElseThrow();
      out.println("\n| bar | measured | limit | |\n| --- | ---: | ---: | --- |");
      atMost(out, "one-add, 1 worker", one(ONE_ADD, 1, ours), 1.01);
      atMost(out, "one-add, 2 workers", one(ONE_ADD, 2, ours), 1.015);
      double dealing = one(ONE_ADD, 2, ours) / one(ONE_ADD, 2, Ways.PLAIN);
      atMost(out, "one-add, 2 workers, over two plain loops at once", dealing, 1.015);
      atMost(out, "generic kernels, 2 workers, geometric mean", mean(of(ours, false)), 1.02);
      atMost(out, "all kernels, 2 workers, geometric mean", mean(kernels), 1.02);
      atMost(out, "worst kernel (" + worst.workload() + ")", beyondBest(worst), 1.05);
      for (String rival : List.of(Ways.UNITS, Ways.FORK_JOIN, Ways.STREAM)) {
        double faster = one(NARROW, 2, rival) / one(NARROW, 2, ours);
        out.printf(
            Locale.ROOT,
            "| narrow-last, times as fast as %s | %.2f | &ge; 1.7 | %s |%n",
            rival,
            faster,
            faster >= 1.7 ? "" : "MISSED");
      }
      double alone =
          mean(
              rows.stream()
                  .filter(r -> r.workers() == 1 && !r.workload().equals(ONE_ADD))
                  .toList());
      out.printf(
          Locale.ROOT,
          "%nGeneric kernels, adaptive with one worker: %.3f of the plain loop%n",
          alone);
    }

    private static void atMost(PrintStream out, String what, double measured, double limit) {
      out.printf(
          Locale.ROOT,
          "| %s | %.3f | &le; %.3f | %s |%n",
          what,
          measured,
          limit,
          measured <= limit ? "" : "MISSED");
    }

    private static boolean isKernel(Row row, String way) {
      return row.way().equals(way)
          && row.workers() == KERNELS_WORKERS
          && !row.workload().equals(ONE_ADD)
          && !row.workload().equals(NARROW);
    }

    private double beyondBest(Row row) {
      return row.ratio() / best.getOrDefault(row.workload(), 1.0);
    }

    private List<Row> of(String way, boolean paper) {
      return rows.stream()
          .filter(r -> isKernel(r, way) && r.workload().startsWith("paper-") == paper)
          .toList();
    }

    private double mean(String way, boolean paper) {
      return mean(of(way, paper));
    }

    private double worst(String way, boolean paper) {
      return of(way, paper).stream().mapToDouble(this::beyondBest).max().orElse(Double.NaN);
    }

    private double mean(List<Row> some) {
      return Math.exp(
          some.stream().mapToDouble(row -> Math.log(beyondBest(row))).average().orElse(Double.NaN));
    }

    private double one(String workload, int workers, String way) {
      return rows.stream()
          .filter(
              r -> r.workload().equals(workload) && r.workers() == workers && r.way().equals(way))
          .mapToDouble(Row::ratio)
          .findFirst()
          .orElse(Double.NaN);
    }
  }
}
