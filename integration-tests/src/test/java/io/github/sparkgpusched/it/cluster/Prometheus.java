package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Prometheus: the host's, or Debian's package unpacked below {@code target}. */
final class Prometheus implements AutoCloseable {
  private static final Pattern LISTENS =
      Pattern.compile("Listening on.* address=127\\.0\\.0\\.1:([0-9]+)\\s");

  private final Process process;
  private final int port;

  /** Its program; the test is skipped where there is none. */
  static Path require() throws Exception {
    Path binary = binary();
    assumeTrue(
        binary != null, "no Prometheus: neither on this host, nor from its package repository");
    return binary;
  }

  /** Starts one that scrapes an address each second, and has the project's alert rules. */
  static Prometheus start(Path binary, Path folder, String host, int target, String path)
      throws Exception {
    Files.createDirectories(folder);
    Path config = folder.resolve("prometheus.yml");
    Path log = folder.resolve("prometheus.log");
    Files.writeString(
        config,
        "global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\nrule_files: ['"
            + Path.of("../conf/prometheus-alerts.yml").toAbsolutePath().normalize()
            + "']\nscrape_configs:\n  - job_name: spark\n    metrics_path: "
            + path
            + "\n    static_configs:\n      - targets: ['"
            + host
            + ":"
            + target
            + "']\n");
    Process process =
        new ProcessBuilder(
                binary.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:0")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      return new Prometheus(process, port(process, log));
    } catch (AssertionError | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** The port that it has found, which its log says. */
  private static int port(Process process, Path log) {
    AtomicInteger port = new AtomicInteger();
    Waiting.until(
        () -> "Prometheus does not listen: " + log,
        () -> {
          boolean ended = !process.isAlive();
          Matcher listens = LISTENS.matcher(text(log));
          if (listens.find()) {
            port.set(Integer.parseInt(listens.group(1)));
          } else if (ended) {
            throw new IllegalStateException("Prometheus has ended: " + text(log));
          }
          return port.get() != 0;
        });
    return port.get();
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Prometheus(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  private static Path binary() throws IOException, InterruptedException {
    Path installed = Path.of("/usr/bin/prometheus");
    if (Files.isExecutable(installed)) {
      return installed;
    }
    Path unpacked = Path.of("target", "prometheus").toAbsolutePath();
    Path binary = unpacked.resolve("usr/bin/prometheus");
    if (!Files.isExecutable(binary)) {
      Files.createDirectories(unpacked);
      String script = "apt-get download prometheus && dpkg -x prometheus_*.deb .";
      Process download;
      try {
        download =
            new ProcessBuilder(List.of("bash", "-c", script))
                .directory(unpacked.toFile())
                .redirectErrorStream(true)
                .redirectOutput(unpacked.resolve("download.log").toFile())
                .start();
      } catch (IOException e) {
        return null; // no bash
      }
      if (!download.waitFor(2, TimeUnit.MINUTES)) {
        download.destroyForcibly();
      }
    }
    return Files.isExecutable(binary) ? binary : null;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
