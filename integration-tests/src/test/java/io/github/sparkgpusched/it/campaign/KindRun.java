package io.github.sparkgpusched.it.campaign;

import io.github.sparkgpusched.it.testing.CampaignRow;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One campaign, in a JVM of its own, whose output is passed on. One thread uses it. */
final class KindRun {
  /** A campaign that has not ended so long after its time hangs: it ends what it has begun. */
  private static final long GRACE_SECONDS = 900;

  /** From so many seconds on C2 pays where code is short-lived, too. */
  private static final long C2_PAYS_SECONDS = 1200;

  private final Kind kind;
  private final long seed;
  private final long seconds;
  private final List<String> options;

  /**
   * @param seconds its share of the time; -1 if its options say when it ends
   * @param options of the campaign itself, names and values by turns
   */
  KindRun(Kind kind, long seed, long seconds, List<String> options) {
    this.kind = kind;
    this.seed = seed;
    this.seconds = seconds;
    this.options = options;
  }

  /** What it has found; with a row that says so if it did not end as it should. */
  List<CampaignRow> rows() throws IOException, InterruptedException {
    System.out.println("\n== " + kind.text() + (seconds < 0 ? "" : ", " + seconds + " s"));
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command())
            .directory(folder().toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread watch = new Thread(() -> endLate(process), "watch");
    watch.setDaemon(true);
    if (seconds >= 0) {
      watch.start();
    }
    List<CampaignRow> rows = new ArrayList<>();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line; (line = output.readLine()) != null; ) {
        Optional<CampaignRow> row = CampaignRow.of(line);
        row.ifPresent(rows::add);
        if (row.isEmpty()) {
          System.out.println(line);
        }
      }
    }
    int status = process.waitFor();
    boolean told = rows.stream().anyMatch(row -> !row.isGood());
    // A campaign ends with 1 where its rows are bad; all else is a JVM that did not end by itself.
    if (rows.isEmpty() || status != (told ? 1 : 0)) {
      System.out.println(
          "NOT ENDED WELL, status " + status + "; again: " + again() + " --seed " + seed);
      rows.add(
          CampaignRow.since(
              begin, kind.text(), 0, 0, 1, List.of("its JVM ended with status " + status)));
    }
    return rows;
  }

  private void endLate(Process process) {
    try {
      if (!process.waitFor(seconds + GRACE_SECONDS, TimeUnit.SECONDS)) {
        System.out.println("HANGS; again: " + again() + " --seed " + seed);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String again() {
    return "integration-tests/campaign " + kind.text() + " " + String.join(" ", options);
  }

  private static Path plugin() {
    return Path.of("..", "spark-gpu-sched").toAbsolutePath().normalize();
  }

  private Path folder() {
    return kind.inPlugin ? plugin() : Path.of("").toAbsolutePath();
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-Xmx2g");
    if (kind.isOfShortLivedCode() && seconds < C2_PAYS_SECONDS) {
      // C1's own default of 48 MB is full within seconds.
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m"));
    }
    command.add("-cp");
    String path = System.getProperty("java.class.path");
    command.add(
        kind.inPlugin ? plugin().resolve("target/test-classes") + File.pathSeparator + path : path);
    command.add(kind.main);
    if (seconds >= 0) {
      command.addAll(List.of("--seconds", String.valueOf(seconds)));
    }
    command.addAll(List.of("--seed", String.valueOf(seed)));
    command.addAll(options);
    return command;
  }
}
