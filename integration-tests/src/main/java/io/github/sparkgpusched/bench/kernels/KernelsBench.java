package io.github.sparkgpusched.bench.kernels;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The kernels in the cost model: cycles of every schedule over those of {@code static}, as a table
 * and CSV, and without options pictures of who computed what when, and what steps cost. No run on a
 * GPU.
 *
 * <p>Usage: {@code KernelsBench OUT_DIRECTORY [--of COMMIT] [option=value...]}, as {@code
 * cuda/check/timing/run}. Without options: H100 with 8 multiprocessors, all workloads.
 */
public final class KernelsBench {
  private static final String BASE = "static";
  private static final List<String> RIVALS = List.of("static", "counter");
  private static final String STEALING = "stealing";
  private static final String STEAL = "schedules=stealing";
  private static final String IN_STEPS = "function=spin_in_steps";

  private KernelsBench() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path out = Path.of(args[0]);
    Files.createDirectories(out);
    Path program = out.resolve("../../../cuda/check/timing/run").normalize();
    List<String> options = Arrays.asList(args).subList(1, args.length);
    List<String> lines = run(program, options);
    Files.write(out.resolve("kernels.csv"), lines, StandardCharsets.UTF_8);
    table(lines, System.out);
    Choices.report(lines, System.out);
    if (!options.isEmpty()) {
      return;
    }
    steps(program, System.out);
    TracePicture.draw(
        "A tenth of the rows is 50 times as heavy, 8 multiprocessors",
        List.of(BASE, STEALING),
        List.of(
            trace(program, out, BASE, "sms=8", "workloads=tenth", "schedules=" + BASE),
            trace(program, out, STEALING, "sms=8", "workloads=tenth", "schedules=" + STEALING)),
        out.resolve("kernels.png"),
        System.out);
    TracePicture.draw(
        "Rows of exponential costs, 2 multiprocessors",
        List.of("row by row", "in steps"),
        List.of(
            trace(program, out, "rows", "sms=2", "workloads=rows", IN_STEPS, STEAL, "set=form:1"),
            trace(program, out, "steps", "sms=2", "workloads=rows", IN_STEPS, STEAL)),
        out.resolve("kernels-steps.png"),
        System.out);
  }

  private static Path trace(Path program, Path out, String name, String... options)
      throws IOException, InterruptedException {
    Path trace = out.resolve("kernels-" + name + ".trace");
    List<String> all = new ArrayList<>(List.of(options));
    all.add("trace=" + trace.toAbsolutePath());
    run(program, all);
    return trace;
  }

  /** What a function costs row by row and in steps. */
  private static void steps(Path program, PrintStream out)
      throws IOException, InterruptedException {
    String rows = "rows=81920";
    String workloads = "workloads=uniform,rows,pareto";
    String two = "sms=2";
    List<Run> row = runs(run(program, List.of("function=spin", STEAL, workloads, rows, two)));
    List<Run> steps = runs(run(program, List.of(IN_STEPS, STEAL, workloads, rows, two)));
    out.println("\nA function of a row, and the same in steps: cycles over uniform rows.\n");
    out.println("| workload | row by row | in steps | over uniform rows in steps | idle |");
    out.println("|---|---:|---:|---:|---:|");
    for (int i = 0; i < row.size(); i++) {
      out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.2f | %.2f | %.2f |%n",
          row.get(i).setting(),
          row.get(i).cycles() / row.get(0).cycles(),
          steps.get(i).cycles() / row.get(0).cycles(),
          steps.get(i).cycles() / steps.get(0).cycles(),
          32 / steps.get(i).ownLanes());
    }
    out.println("\nIdle: instructions of the function over all steps of all rows / 32.");
  }

  private static List<Run> runs(List<String> lines) {
    return lines.stream().filter(l -> !l.startsWith(Run.HEADER_START)).map(Run::of).toList();
  }

  private static List<String> run(Path program, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toAbsolutePath().toString()));
    command.addAll(options);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines;
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      lines = output.lines().toList();
    }
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException(program + " ended with " + status + ": " + lines);
    }
    return lines;
  }

  private static void table(List<String> lines, PrintStream out) {
    Map<String, Map<String, Run>> settings = new LinkedHashMap<>();
    for (String line : lines) {
      if (!line.startsWith(Run.HEADER_START)) {
        Run run = Run.of(line);
        settings
            .computeIfAbsent(run.setting(), s -> new LinkedHashMap<>())
            .put(run.schedule(), run);
      }
    }
    out.println("Cycles in a cost model, over those of static; no run on a GPU.");
    out.println("Slots: what stealing issues for a chunk of 32 rows more than static does.\n");
    out.println(
        "| GPU, multiprocessors | workload | mean | rows | cycles over static | / best | slots |");
    out.println("|---|---|---:|---:|---|---:|---:|");
    settings.forEach((setting, runs) -> out.println("| " + setting + " | " + cells(runs) + " |"));
  }

  private static String cells(Map<String, Run> runs) {
    Run base = runs.get(BASE);
    Run stealing = runs.get(STEALING);
    if (base == null) {
      return "- | - | -";
    }
    List<String> ratios = new ArrayList<>();
    for (Run run : runs.values()) {
      ratios.add(
          String.format(Locale.ROOT, "%s %.2f", run.schedule(), run.cycles() / base.cycles()));
    }
    if (stealing == null) {
      return String.join(", ", ratios) + " | - | -";
    }
    double best =
        RIVALS.stream()
            .filter(runs::containsKey)
            .mapToDouble(r -> runs.get(r).cycles())
            .min()
            .orElseThrow();
    return String.format(
        Locale.ROOT,
        "%s | %.3f | %.0f",
        String.join(", ", ratios),
        stealing.cycles() / best,
        (stealing.slots() - base.slots()) / base.chunks());
  }
}
