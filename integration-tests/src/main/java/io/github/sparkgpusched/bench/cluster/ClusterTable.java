package io.github.sparkgpusched.bench.cluster;

import io.github.sparkgpusched.bench.Bench;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What {@link ClusterBench} has found: a table, {@code cluster.csv}, and all runs. Not thread-safe.
 */
final class ClusterTable implements AutoCloseable {
  static final String THREE = "three executors";
  static final String NOTHING = "nothing to steal";
  static final String LENDER = "lender";

  /** Questions of one executor in a second, where nothing can be stolen. */
  private static final double MESSAGES_BAR = 1;

  /**
   * A figure of a lender's own tasks.
   *
   * @param bar by how much the medians may differ; NaN if they may
   */
  private record Figure(String name, String unit, double bar) {}

  /** In the order in which they are told. A block is 100 us of rows, or the row at hand. */
  private static final List<Figure> LENT =
      List.of(
          new Figure("task start to its rows", "us", Double.NaN),
          new Figure("of that without a core", "us", 100),
          new Figure("of that beside another's rows", "us", 100),
          new Figure("rows of another after its start", "rows", 1),
          new Figure("job at the driver", "us", Double.NaN));

  /** What a query took, and what it moved. */
  record Run(double seconds, long rows, long bytes, long messages, String answer) {
    static Run of(String[] words) {
      return new Run(
          Double.parseDouble(words[0]),
          Long.parseLong(words[1]),
          Long.parseLong(words[2]),
          Long.parseLong(words[3]),
          words[4]);
    }
  }

  /** A query as plain Spark, with the plugin where nothing is shared, and with it. */
  record Three(Run plain, Run off, Run on) {
    boolean isExact() {
      return plain.answer().equals(on.answer()) && plain.answer().equals(off.answer());
    }

    double plainOverOn() {
      return plain.seconds() / on.seconds();
    }

    double offOverOn() {
      return off.seconds() / on.seconds();
    }
  }

  private final Path file;
  private final BufferedWriter runs;
  private final Map<ClusterCase, List<Three>> pairs = new EnumMap<>(ClusterCase.class);
  private final Map<ClusterCase, Double> bars = new EnumMap<>(ClusterCase.class);
  private final List<String> lines = new ArrayList<>();
  private final List<double[]> lentOff = new ArrayList<>();
  private final List<double[]> lentOn = new ArrayList<>();
  private final StringBuilder csv =
      new StringBuilder("case,executors,ratio,rowsMoved,bytesMoved,messages\n");

  ClusterTable(Path out) throws IOException {
    file = out.resolve("cluster.csv");
    runs = Files.newBufferedWriter(out.resolve("cluster-runs.csv"));
    runs.write("case,executors,way,seconds,rowsMoved,bytesMoved,messages\n");
  }

  void add(ClusterCase c, Three three, double bar) throws IOException {
    pairs.computeIfAbsent(c, key -> new ArrayList<>()).add(three);
    bars.put(c, bar);
    write(c.title(), 2, "plain", three.plain());
    write(c.title(), 2, "off", three.off());
    write(c.title(), 2, "on", three.on());
  }

  void addThree(ClusterCase c, Run plain, Run on) throws IOException {
    write(c.title(), 3, "plain", plain);
    write(c.title(), 3, "on", on);
    boolean exact = plain.answer().equals(on.answer());
    String name = THREE + " / " + c.title();
    lines.add(
        String.format(
            Locale.ROOT,
            "%-56s answers %s, %,d rows moved %s",
            name,
            exact ? "exact" : "DIFFER",
            on.rows(),
            exact ? "" : "MISSED"));
    csv(name, 3, "", on.rows(), on.bytes(), on.messages() / (3 * on.seconds()));
  }

  /**
   * Adds what executors asked when there was nothing to steal.
   *
   * @param first whether that had just begun
   */
  void addPhase(ClusterApp.Phase phase, boolean first, String[] words) throws IOException {
    double seconds = Double.parseDouble(words[0]);
    long messages = Long.parseLong(words[1]);
    String when = first ? ", at first" : ", then";
    String name = NOTHING + " / " + phase.name().toLowerCase(Locale.ROOT) + when;
    write(name, 2, "on", new Run(seconds, 0, 0, messages, ""));
    double rate = messages / (2 * seconds);
    lines.add(
        String.format(
            Locale.ROOT,
            "%-56s %d questions in %.0f s, %.2f an executor and second %s",
            name,
            messages,
            seconds,
            rate,
            first ? "" : rate <= MESSAGES_BAR ? "(at most 1)" : "(at most 1) MISSED"));
    csv(name, 2, "", 0, 0, rate);
  }

  /** Samples of a lender's own tasks; each has a figure for each of {@link #LENT}. */
  void addLent(String[] off, String[] on) throws IOException {
    lent("off", off, lentOff);
    lent("on", on, lentOn);
  }

  private void lent(String way, String[] samples, List<double[]> all) throws IOException {
    for (String sample : samples) {
      if (!sample.isEmpty()) {
        double[] micros =
            Arrays.stream(sample.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
        all.add(micros);
        for (int i = 0; i < micros.length; i++) {
          Figure figure = LENT.get(i);
          boolean time = figure.unit().equals("us");
          write(
              LENDER + " / " + figure.name(),
              2,
              way,
              new Run(time ? micros[i] / 1e6 : 0, time ? 0 : (long) micros[i], 0, 0, ""));
        }
      }
    }
  }

  private void write(String name, int executors, String way, Run run) throws IOException {
    String line =
        String.format(
            Locale.ROOT,
            "\"%s\",%d,%s,%.6f,%d,%d,%d%n",
            name,
            executors,
            way,
            run.seconds(),
            run.rows(),
            run.bytes(),
            run.messages());
    System.out.print(line);
    runs.write(line);
    runs.flush();
  }

  private void csv(
      String name, int executors, String ratio, long rows, long bytes, double messages) {
    csv.append(
        String.format(
            Locale.ROOT,
            "\"%s\",%d,%s,%d,%d,%.3f%n",
            name,
            executors,
            ratio,
            rows,
            bytes,
            messages));
  }

  void print() throws IOException {
    System.out.printf(
        "%n%-44s %5s %9s %8s %8s %22s %22s %9s %8s %8s%n",
        "case",
        "pairs",
        "plain [s]",
        "off [s]",
        "on [s]",
        "plain / on",
        "off / on",
        "rows",
        "MB",
        "messages");
    pairs.forEach(this::print);
    lines.forEach(System.out::println);
    if (!lentOff.isEmpty() && !lentOn.isEmpty()) {
      for (int i = 0; i < LENT.size(); i++) {
        printLent(i);
      }
    }
    Files.writeString(file, csv);
    System.out.println("written: " + file);
  }

  private void print(ClusterCase c, List<Three> all) {
    double[] plain = sorted(all, Three::plainOverOn);
    double[] off = sorted(all, Three::offOverOn);
    long rows = (long) Bench.median(sorted(all, three -> three.on().rows()));
    long bytes = (long) Bench.median(sorted(all, three -> three.on().bytes()));
    double rate =
        all.stream().mapToLong(three -> three.on().messages()).sum()
            / (2 * all.stream().mapToDouble(three -> three.on().seconds()).sum());
    double bar = bars.get(c);
    boolean reached = Bench.median(off) >= bar && (!c.isSkewed() || Bench.median(plain) >= bar);
    System.out.printf(
        Locale.ROOT,
        "%-44s %5d %9.2f %8.2f %8.2f %22s %22s %,9d %8.1f %8.2f  at least %.2f %s%n",
        c.title(),
        all.size(),
        Bench.median(sorted(all, three -> three.plain().seconds())),
        Bench.median(sorted(all, three -> three.off().seconds())),
        Bench.median(sorted(all, three -> three.on().seconds())),
        spread(plain),
        spread(off),
        rows,
        bytes / 1e6,
        rate,
        bar,
        reached ? "" : "MISSED");
    csv(c.title() + " / plain over on", 2, ratio(plain), rows, bytes, rate);
    csv(c.title() + " / off over on", 2, ratio(off), rows, bytes, rate);
  }

  private void printLent(int column) {
    double[] off = lentOff.stream().mapToDouble(sample -> sample[column]).sorted().toArray();
    double[] on = lentOn.stream().mapToDouble(sample -> sample[column]).sorted().toArray();
    Figure figure = LENT.get(column);
    double later = Bench.median(on) - Bench.median(off);
    String name = LENDER + " / " + figure.name() + " [" + figure.unit() + "]";
    System.out.printf(
        Locale.ROOT,
        "%-46s off, of %d: %s; on, of %d: %s; medians differ by %.0f%s%s%n",
        name,
        off.length,
        quantiles(off),
        on.length,
        quantiles(on),
        later,
        Double.isNaN(figure.bar()) ? "" : " (at most " + figure.bar() + ")",
        later > figure.bar() ? " MISSED" : "");
    boolean none = Bench.median(off) == 0 || Bench.median(on) == 0;
    String ratio =
        none ? "" : String.format(Locale.ROOT, "%.3f", Bench.median(off) / Bench.median(on));
    csv(name + " / off over on", 2, ratio, 0, 0, 0);
  }

  private static String quantiles(double[] sorted) {
    return String.format(
        Locale.ROOT,
        "median %.0f, 9 of 10 %.0f, 99 of 100 %.0f",
        Bench.median(sorted),
        quantile(sorted, 0.9),
        quantile(sorted, 0.99));
  }

  private static double quantile(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  }

  private static double[] sorted(List<Three> all, ToDoubleFunction<Three> figure) {
    return all.stream().mapToDouble(figure).sorted().toArray();
  }

  private static String ratio(double[] sorted) {
    return String.format(Locale.ROOT, "%.3f", Bench.median(sorted));
  }

  /** The median, and the least and the largest. */
  private static String spread(double[] sorted) {
    return String.format(
        Locale.ROOT,
        "%.3f (%.2f to %.2f)",
        Bench.median(sorted),
        sorted[0],
        sorted[sorted.length - 1]);
  }

  @Override
  public void close() throws IOException {
    runs.close();
  }
}
