package io.github.sparkgpusched.bench.cluster;

import io.github.sparkgpusched.bench.Bench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cases of {@link AdviseBench} that have been run, now or before: a file of theirs, and the
 * table. For one thread.
 */
final class AdviseTable {
  private static final String HEADER = "case,plain,predicted,low,high,measured,batch,verdict";
  private static final double MOST_ERROR = 0.2;

  private final Path file;
  private final Map<String, AdviseCase> cases = new TreeMap<>();

  private AdviseTable(Path file) {
    this.file = file;
  }

  /**
   * The table of a file, which need not be there. Lines under other columns are those of another
   * version of the bench: they are left out, and the next {@link #add} replaces the file.
   *
   * @param notes where that is said
   */
  static AdviseTable read(Path file, PrintStream notes) throws IOException {
    AdviseTable table = new AdviseTable(file);
    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of(HEADER);
    if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
      notes.println(
          file
              + " is of another version of this bench: its cases are left out, and it is replaced");
      return table;
    }
    lines.stream().skip(1).map(AdviseCase::of).forEach(table::put);
    return table;
  }

  private void put(AdviseCase c) {
    cases.put(c.name(), c);
  }

  /** Adds cases in place of those of the same name, and writes the file. */
  void add(List<AdviseCase> more) throws IOException {
    more.forEach(this::put);
    List<String> text = new ArrayList<>(List.of(HEADER));
    cases.values().forEach(c -> text.add(c.csv()));
    Files.write(file, text);
  }

  List<AdviseCase> cases() {
    return List.copyOf(cases.values());
  }

  /** Whether the median error is small enough, and nothing that profits by its verdict lost. */
  boolean holds() {
    return medianError() <= MOST_ERROR && cases.values().stream().noneMatch(AdviseCase::isWrong);
  }

  private double medianError() {
    return Bench.median(cases.values().stream().mapToDouble(AdviseCase::error).toArray());
  }

  void print(PrintStream out) {
    out.println(
        "| Case | Plain [s] | Predicted [s] | From – to [s] | Measured [s] | Error | Verdict | By batch method [s] |\n"
            + "|---|---:|---:|---:|---:|---:|---|---:|");
    cases.values().forEach(c -> out.println(c.markdown()));
    out.printf(
        Locale.ROOT,
        "median error: %.0f%% (at most %.0f%%)%n",
        100 * medianError(),
        100 * MOST_ERROR);
  }
}
