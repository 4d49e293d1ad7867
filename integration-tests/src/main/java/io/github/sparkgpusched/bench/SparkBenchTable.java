package io.github.sparkgpusched.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The figures of {@link SparkBench}: a file to which each JVM adds a line for each of its cases,
 * and a table of the medians over JVMs, with the least and the greatest ratio.
 *
 * <p>Usage: {@code SparkBenchTable OUT_DIRECTORY} prints the table.
 */
public final class SparkBenchTable {
  private static final String HEADER =
      "case,bar,plainSeconds,pluginSeconds,plainProcessorSeconds,pluginProcessorSeconds";

  /** What one JVM measured of one case: medians of its runs. */
  record Row(
      String name,
      double bar,
      double plainSeconds,
      double pluginSeconds,
      double plainProcessorSeconds,
      double pluginProcessorSeconds) {
    static Row parse(String line) {
      // No field but the name has commas.
      String[] last = line.substring(line.lastIndexOf('"') + 2).split(",", -1);
      return new Row(
          line.substring(1, line.lastIndexOf('"')),
          Double.parseDouble(last[0]),
          Double.parseDouble(last[1]),
          Double.parseDouble(last[2]),
          Double.parseDouble(last[3]),
          Double.parseDouble(last[4]));
    }

    String line() {
      return String.format(
          "\"%s\",%.2f,%.4f,%.4f,%.4f,%.4f%n",
          name, bar, plainSeconds, pluginSeconds, plainProcessorSeconds, pluginProcessorSeconds);
    }

    double ratio() {
      return plainSeconds / pluginSeconds;
    }

    double processorRatio() {
      return plainProcessorSeconds / pluginProcessorSeconds;
    }
  }

  private final Path file;

  /** The figures in this directory, which exists. */
  SparkBenchTable(Path directory) {
    this.file = directory.resolve("spark.csv");
  }

  public static void main(String[] args) throws IOException {
    new SparkBenchTable(Path.of(args[0])).print();
  }

  void add(Row row) throws IOException {
    System.out.printf(
        "%-34s %.3f s, %.3f s%n", row.name(), row.plainSeconds(), row.pluginSeconds());
    String line = Files.exists(file) ? row.line() : HEADER + System.lineSeparator() + row.line();
    Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void print() throws IOException {
    Map<String, List<Row>> cases = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file).stream().skip(1).toList()) {
      Row row = Row.parse(line);
      cases.computeIfAbsent(row.name(), name -> new ArrayList<>()).add(row);
    }
    System.out.printf(
        "%-34s %10s %11s %6s %14s %13s %5s%n",
        "case", "plain [s]", "plugin [s]", "ratio", "of JVMs", "of processor", "bar");
    cases.forEach(SparkBenchTable::print);
    System.out.println("written: " + file);
  }

  private static void print(String name, List<Row> rows) {
    double ratio = median(rows, Row::ratio);
    double bar = rows.get(0).bar();
    System.out.printf(
        "%-34s %10.3f %11.3f %6.2f %6.2f to %4.2f %13.2f %5.2f %s%n",
        name,
        median(rows, Row::plainSeconds),
        median(rows, Row::pluginSeconds),
        ratio,
        rows.stream().mapToDouble(Row::ratio).min().orElseThrow(),
        rows.stream().mapToDouble(Row::ratio).max().orElseThrow(),
        median(rows, Row::processorRatio),
        bar,
        ratio >= bar ? "" : "MISSED");
  }

  private static double median(List<Row> rows, ToDoubleFunction<Row> figure) {
    return Bench.median(rows.stream().mapToDouble(figure).toArray());
  }
}
