package io.github.sparkgpusched.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What is fed with malformed inputs, each by its name, and where inputs are that are kept. */
final class Targets {
  private static final String PACKAGE = "io.github.sparkgpusched.";

  /** Names, and classes with the method that Jazzer calls. */
  static final Map<String, String> BY_NAME =
      new TreeMap<>(
          Map.of(
              "event-logs", PACKAGE + "advise.EventLogFuzz",
              "frames", PACKAGE + "device.remote.FrameFuzz",
              "names", PACKAGE + "ui.NamesFuzz",
              "ptx", PACKAGE + "device.cuda.AuthorPtxFuzz",
              "requests", PACKAGE + "ui.RequestFuzz"));

  private Targets() {}

  /** The folder of a target's inputs, in the sources. */
  static Path kept(String name) {
    return Path.of("src/test/resources/io/github/sparkgpusched/fuzz", name).toAbsolutePath();
  }

  static List<Path> inputs(String name) throws IOException {
    try (Stream<Path> files = Files.list(kept(name))) {
      return files.sorted().toList();
    }
  }
}
