package io.github.sparkgpusched.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A Spark installation made of the jars of the build: what a Worker needs to start executors. */
final class SparkHome {
  private final Path home;

  private SparkHome(Path home) {
    this.home = home;
  }

  /** Links the jars of {@code target/spark.classpath}, in which the plugin is not. */
  static SparkHome create(Path home) {
    Path jars = home.resolve("jars");
    try {
      Files.createDirectories(jars);
      String classPath = Files.readString(Path.of("target", "spark.classpath")).trim();
      for (String jar : classPath.split(File.pathSeparator, -1)) {
        Path file = Path.of(jar);
        Files.createSymbolicLink(jars.resolve(file.getFileName()), file);
      }
      return new SparkHome(home.toAbsolutePath());
    } catch (IOException e) {
      throw new IllegalStateException("cannot make a Spark home in " + home, e);
    }
  }

  String path() {
    return home.toString();
  }

  String classPath() {
    return home.resolve("jars") + File.separator + "*";
  }

  /** Makes an empty folder. */
  static Path emptyFolder(Path folder) {
    try {
      if (Files.exists(folder)) {
        try (Stream<Path> old = Files.walk(folder)) {
          for (Path file : old.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
      return Files.createDirectories(folder).toAbsolutePath();
    } catch (IOException e) {
      throw new IllegalStateException("cannot empty " + folder, e);
    }
  }
}
