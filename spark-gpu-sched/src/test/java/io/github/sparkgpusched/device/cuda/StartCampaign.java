package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.testing.NumberOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code integration-tests/campaign starts}: six JVMs that start at once, unpack the same natives
 * and compile the same function into the same cache, both empty before; in every second round one
 * of them is killed meanwhile. All others end well, and one that starts afterwards. On the double
 * of the driver.
 */
final class StartCampaign {
  private static final int JVMS = 6;
  private static final int MOST_MILLIS = 4_000;

  /** The exit status of a process that was ended by SIGKILL. */
  private static final int KILLED = 128 + 9;

  private StartCampaign() {}

  /**
   * Runs it.
   *
   * @param args names and values by turns: {@code --seconds N}, {@code --times N}, {@code --seed S}
   */
  public static void main(String[] args) throws Exception {
    NumberOptions options = new NumberOptions(args);
    long times = options.get("--times", Long.MAX_VALUE);
    long seconds = options.get("--seconds", times == Long.MAX_VALUE ? 600 : 86_400);
    long seed = options.get("--seed", 1);
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    long round = 0;
    long killed = 0;
    long wrong = 0;
    for (; round < times && System.nanoTime() - end < 0; round++) {
      SplittableRandom random = new SplittableRandom(seed * 1_000_003 + round);
      List<String> failures = new ArrayList<>();
      killed += round(round % 2 == 1 ? random.nextInt(MOST_MILLIS) : -1, failures) ? 1 : 0;
      if (!failures.isEmpty()) {
        wrong += failures.size();
        System.out.printf(
            "NOT ALL WELL; again: integration-tests/campaign starts --times %d --seed %d%n%s%n",
            round + 1, seed, String.join("\n", failures));
      }
    }
    System.out.printf(
        "ROW starts,%d,%d,%d,nothing,%d%n",
        round * JVMS, killed, wrong, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
    System.exit(wrong == 0 ? 0 : 1);
  }

  /**
   * One round.
   *
   * @param killMillis after which the first is killed; -1 if it is not
   * @param failures gets what those said that did not end well
   * @return whether the first was killed: it may have ended before
   */
  private static boolean round(int killMillis, List<String> failures) throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target", "tmp").toAbsolutePath(), "starts");
    List<Process> all = new ArrayList<>();
    List<Path> logs = new ArrayList<>();
    for (int i = 0; i < JVMS; i++) {
      logs.add(folder.resolve(i + ".log"));
      all.add(start(folder, logs.get(i)));
    }
    boolean killed = false;
    if (killMillis >= 0 && !all.get(0).waitFor(killMillis, TimeUnit.MILLISECONDS)) {
      all.get(0).destroyForcibly();
      killed = all.get(0).waitFor() == KILLED;
    }
    for (int i = killed ? 1 : 0; i < JVMS; i++) {
      check(all.get(i), logs.get(i), failures);
    }
    Path later = folder.resolve("later.log");
    check(start(folder, later), later, failures);
    if (failures.isEmpty()) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return killed;
  }

  private static Process start(Path folder, Path log) throws IOException, InterruptedException {
    ProcessBuilder builder =
        CudaDouble.onDouble(CudaDouble.java(folder, CudaScenarios.class, "compile"));
    return builder.redirectOutput(log.toFile()).start();
  }

  private static void check(Process process, Path log, List<String> failures) throws Exception {
    if (process.waitFor() != 0) {
      failures.add(log + ": status " + process.exitValue() + "\n" + Files.readString(log));
    }
  }
}
