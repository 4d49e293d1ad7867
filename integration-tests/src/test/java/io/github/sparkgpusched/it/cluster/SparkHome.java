package io.github.sparkgpusched.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
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

  /**
   * The home of this Spark, one for all clusters: their JVMs have one class path, and so one {@link
   * ClassArchive}. Nobody writes to it.
   */
  static SparkHome shared() {
    List<Path> jars = sparkJars();
    Path home =
        Path.of("target", "spark-home", Integer.toHexString(jars.hashCode())).toAbsolutePath();
    try {
      if (!Files.exists(home)) {
        link(jars, home);
      }
      return new SparkHome(home);
    } catch (IOException e) {
      throw new IllegalStateException("cannot make a Spark home in " + home, e);
    }
  }

  /** Other JVMs may do the same: a home is there whole, or not at all. */
  private static void link(List<Path> jars, Path home) throws IOException {
    Files.createDirectories(home.getParent());
    Path unfinished = Files.createTempDirectory(home.getParent(), "unfinished");
    Files.createDirectory(unfinished.resolve("jars"));
    for (Path jar : jars) {
      Files.createSymbolicLink(unfinished.resolve("jars").resolve(jar.getFileName()), jar);
    }
    try {
      Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.exists(home)) {
        throw e;
      }
      emptyFolder(unfinished);
      Files.delete(unfinished);
    }
  }

  String path() {
    return home.toString();
  }

  /** As Spark's launcher writes it for executors. */
  String classPath() {
    Path jars = home.resolve("jars");
    Stream<String> first =
        sparkJars().stream()
            .map(Path::getFileName)
            .filter(name -> name.toString().startsWith("slf4j-api-"))
            .map(name -> jars.resolve(name).toString());
    return Stream.of(Stream.of(home.resolve("conf").toString()), first, Stream.of(jars + "/*"))
        .flatMap(part -> part)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Options for JVMs whose class path begins with {@link #classPath}. */
  List<String> javaOptions() {
    return ClassArchive.options(home, classPath());
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
