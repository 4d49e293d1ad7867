package io.github.sparkgpusched.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a job writes. */
final class Outputs {
  private Outputs() {}

  /**
   * The directory of {@code --out}, made if need be.
   *
   * @throws BadArgumentsException if it cannot be made
   */
  static Path directory(Options options) {
    Path directory = Path.of(options.text(Flag.OUT)).toAbsolutePath().normalize();
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new BadArgumentsException(
          Flag.OUT.name() + " '" + directory + "' cannot be made a directory: " + e);
    }
  }
}
