package io.github.sparkgpusched.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The figures of {@link SparkBench} and {@link AgainstBench}: a file to which each JVM adds a line
 * for each pair of runs, and a table of medians over all pairs. A ratio is a pair's own, since both
 * its runs find the machine in much the same state; beside it stand the least and the greatest
 * median of a JVM.
 *
 * <p>Usage: {@code SparkBenchTable OUT_DIRECTORY [against]} prints the table.
 */
public final class SparkBenchTable {
  /** A query in plain Spark, or with another plugin, and then with this one. */
  record Pair(
      String name,
      double bar,
      double plainSeconds,
      double pluginSeconds,
      double plainProcessorSeconds,
      double pluginProcessorSeconds) {
    String line(long jvm) {
      return String.format(
          Locale.ROOT,
          "%d,\"%s\",%.2f,%.4f,%.4f,%.4f,%.4f%n",
          jvm,
          name,
          bar,
          plainSeconds,
          pluginSeconds,
          plainProcessorSeconds,
          pluginProcessorSeconds);
    }

    double ratio() {
      return plainSeconds / pluginSeconds;
    }

    double processorRatio() {
      return plainProcessorSeconds / pluginProcessorSeconds;
    }
  }

  private final Path file;
  private final String other;

  private SparkBenchTable(Path file, String other) {
    this.file = file;
    this.other = other;
  }

  /** The figures in this directory, which exists, of queries in plain Spark and with the plugin. */
  static SparkBenchTable ofPlainSpark(Path directory) {
    return new SparkBenchTable(directory.resolve("spark.csv"), "plain");
  }

  /** Likewise, of queries with the plugin of another commit and with this one. */
  static SparkBenchTable ofOtherCommit(Path directory) {
    return new SparkBenchTable(directory.resolve("against.csv"), "other");
  }

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    (args.length > 1 ? ofOtherCommit(directory) : ofPlainSpark(directory)).print();
  }

  void add(Pair pair) throws IOException {
    String line = pair.line(ProcessHandle.current().pid());
    System.out.print(line);
    String header =
        String.format(
            "jvm,case,bar,%1$sSeconds,pluginSeconds,%1$sProcessorSeconds,pluginProcessorSeconds%n",
            other);
    Files.writeString(
        file,
        Files.exists(file) ? line : header + line,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** The median of each case's ratios. */
  Map<String, Double> ratios() throws IOException {
    Map<String, Double> ratios = new LinkedHashMap<>();
    read()
        .forEach(
            (name, byJvm) ->
                ratios.put(
                    name,
                    median(byJvm.values().stream().flatMap(List::stream).toList(), Pair::ratio)));
    return ratios;
  }

  private void print() throws IOException {
    System.out.printf(
        "%-36s %5s %10s %11s %6s %14s %13s %5s%n",
        "case", "pairs", other + " [s]", "plugin [s]", "ratio", "of JVMs", "of processor", "bar");
    read().forEach((name, byJvm) -> print(name, byJvm.values()));
    System.out.println("written: " + file);
  }

  /** All pairs, by case and JVM. */
  private Map<String, Map<String, List<Pair>>> read() throws IOException {
    Map<String, Map<String, List<Pair>>> pairsByCaseAndJvm = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file).stream().skip(1).toList()) {
      // Only the name may have commas.
      String jvm = line.substring(0, line.indexOf(','));
      String name = line.substring(line.indexOf('"') + 1, line.lastIndexOf('"'));
      String[] last = line.substring(line.lastIndexOf('"') + 2).split(",", -1);
      if (last.length != 5) {
        throw new IOException(file + " has a line of other figures: " + line);
      }
      Pair pair =
          new Pair(
              name,
              Double.parseDouble(last[0]),
              Double.parseDouble(last[1]),
              Double.parseDouble(last[2]),
              Double.parseDouble(last[3]),
              Double.parseDouble(last[4]));
      pairsByCaseAndJvm
          .computeIfAbsent(name, key -> new LinkedHashMap<>())
          .computeIfAbsent(jvm, key -> new ArrayList<>())
          .add(pair);
    }
    return pairsByCaseAndJvm;
  }

  private static void print(String name, Collection<List<Pair>> byJvm) {
    List<Pair> pairs = byJvm.stream().flatMap(List::stream).toList();
    DoubleSummaryStatistics ofJvms =
        byJvm.stream().mapToDouble(jvm -> median(jvm, Pair::ratio)).summaryStatistics();
    double ratio = median(pairs, Pair::ratio);
    double bar = pairs.get(0).bar();
    System.out.printf(
        Locale.ROOT,
        "%-36s %5d %10.3f %11.3f %6.3f %6.3f to %5.3f %13.3f %5.2f %s%n",
        name,
        pairs.size(),
        median(pairs, Pair::plainSeconds),
        median(pairs, Pair::pluginSeconds),
        ratio,
        ofJvms.getMin(),
        ofJvms.getMax(),
        median(pairs, Pair::processorRatio),
        bar,
        ratio >= bar ? "" : "MISSED");
  }

  private static double median(List<Pair> pairs, ToDoubleFunction<Pair> figure) {
    return Bench.median(pairs.stream().mapToDouble(figure).toArray());
  }
}
