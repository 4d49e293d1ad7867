package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real Prometheus: the host's, or Debian's package unpacked below {@code target}. */
final class Prometheus implements AutoCloseable {
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
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Files.createDirectories(folder);
    Path config = folder.resolve("prometheus.yml");
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
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    return new Prometheus(process, port);
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
