package io.github.sparkgpusched.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Two GPUs as the discovery script sees them: an {@code nvidia-smi} that prints their indices. */
final class FakeGpus {
  private FakeGpus() {}

  /** A folder for PATH. */
  static Path folder(Path parent) {
    Path bin = parent.resolve("bin");
    Path command = bin.resolve("nvidia-smi");
    try {
      Files.createDirectories(bin);
      Files.writeString(command, "#!/bin/sh\necho 0\necho 1\n");
      Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bin;
  }

  static Path discoveryScript() {
    return Path.of("..", "conf", "gpu-discovery.sh").toAbsolutePath().normalize();
  }

  static List<String> workerOptions() {
    return List.of(
        "-Dspark.worker.resource.gpu.amount=2",
        "-Dspark.worker.resource.gpu.discoveryScript=" + discoveryScript());
  }
}
