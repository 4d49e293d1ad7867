package io.github.sparkgpusched.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.package$;

/** A Spark installation made of the jars of the build: what a Worker needs to start executors. */
final class SparkHome {
  private final Path home;

  private SparkHome(Path home) {
    this.home = home;
  }

  /**
   * The jars of the Spark that this JVM tests, and of nothing else: the plugin is not among them.
   */
  static List<Path> sparkJars() {
    String version = package$.MODULE$.SPARK_VERSION();
    // Maven writes one list a Spark version; that of the newest has no number.
    Path own =
        Path.of("target", "spark-" + version.substring(0, version.lastIndexOf('.')) + ".classpath");
    Path list = Files.exists(own) ? own : Path.of("target", "spark.classpath");
    try {
      return Arrays.stream(Files.readString(list).trim().split(File.pathSeparator, -1))
          .map(Path::of)
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + list + ": run Maven", e);
    }
  }

  /** Links Spark's jars. */
  static SparkHome create(Path home) {
    Path jars = home.resolve("jars");
    try {
      Files.createDirectories(jars);
      for (Path file : sparkJars()) {
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
