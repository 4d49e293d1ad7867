package io.github.sparkgpusched.fuzz;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code integration-tests/campaign fuzz}: Jazzer, which is guided by what of the plugin's code an
 * input comes to, makes malformed inputs for each of the {@link Targets}. An exception that is not
 * a refusal is a finding, and so is what takes too long, or too much memory. Ends with status 1 if
 * there is one; the input is then in {@code target/fuzz}.
 */
final class FuzzCampaign {
  private static final Path FOLDER = Path.of("target", "fuzz").toAbsolutePath();
  private static final Pattern RUNS =
      Pattern.compile("(?m)^stat::number_of_executed_units:\\s*([0-9]+)");

  private FuzzCampaign() {}

  /**
   * Runs it.
   *
   * @param args names and values by turns: {@code --seconds N}, {@code --seed S}, {@code --target
   *     NAME}
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 0; i + 1 < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    long seconds = Long.parseLong(options.getOrDefault("--seconds", "600"));
    long seed = Long.parseLong(options.getOrDefault("--seed", "1"));
    List<String> names = new ArrayList<>(Targets.BY_NAME.keySet());
    String only = options.get("--target");
    if (only != null) {
      names.retainAll(List.of(only));
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException("there is no target " + only + ": " + Targets.BY_NAME);
    }
    boolean good = true;
    for (String name : names) {
      good &= run(name, Math.max(1, seconds / names.size()), 1 + seed);
    }
    System.exit(good ? 0 : 1);
  }

  private static boolean run(String name, long seconds, long seed)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path found = Files.createDirectories(FOLDER.resolve(name));
    Path log = FOLDER.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command(name, seconds, seed, found))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int status = process.waitFor();
    String output = Files.readString(log);
    Matcher runs = RUNS.matcher(output);
    long done = runs.find() ? Long.parseLong(runs.group(1)) : 0;
    boolean good = status == 0 && done > 0;
    System.out.printf(
        "ROW fuzz %s,%d,%d,%d,nothing,%d%n",
        name, done, done, good ? 0 : 1, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
    if (!good) {
      System.out.printf(
          "NOT REFUSED: %s, status %d; again: integration-tests/campaign fuzz --target %s --seed %d%n",
          log, status, name, seed - 1);
      output
          .lines()
          .filter(line -> line.contains("==") || line.contains("at io."))
          .limit(20)
          .forEach(System.out::println);
    }
    return good;
  }

  private static List<String> command(String name, long seconds, long seed, Path found)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith("-Xmx"))
        .forEach(command::add);
    command.add("-Xmx1g");
    command.add("-cp");
    command.add(jazzer() + File.pathSeparator + System.getProperty("java.class.path"));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + Targets.BY_NAME.get(name));
    command.add("--instrumentation_includes=io.github.sparkgpusched.**");
    command.add("--reproducer_path=" + FOLDER);
    command.add("-max_total_time=" + seconds);
    command.add("-seed=" + seed);
    command.add("-timeout=60");
    command.add("-rss_limit_mb=3000");
    command.add("-max_len=4096");
    command.add("-print_final_stats=1");
    command.add("-artifact_prefix=" + found.resolveSibling(name + "-"));
    command.add(found.toString());
    command.add(Targets.kept(name).toString());
    return command;
  }

  /** Its jars, which the profile {@code fuzz} fetches. */
  private static String jazzer() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of("target", "jazzer").toAbsolutePath())) {
      return String.join(File.pathSeparator, jars.map(Path::toString).sorted().toList());
    }
  }
}
