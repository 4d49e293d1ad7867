package io.github.sparkgpusched.it.cluster;

import io.github.sparkgpusched.it.cluster.app.CompareApp;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.package$;

/** A Spark installation made of the jars of the build: what a Worker needs to start executors. */
final class SparkHome {
  private final Path home;
  private final String classPath;

  private SparkHome(Path home, String classPath) {
    this.home = home;
    this.classPath = classPath;
  }

  /**
   * The jars of the Spark that this JVM tests, and of nothing else: the plugin is not among them.
   */
  static List<Path> sparkJars() {
    // Maven writes one list a Spark version, and integration-tests/compat names its own.
    String version = package$.MODULE$.SPARK_VERSION();
    Path own =
        Path.of("target", "spark-" + version.substring(0, version.lastIndexOf('.')) + ".classpath");
    Path built = Files.exists(own) ? own : Path.of("target", "spark.classpath");
    Path list = Path.of(System.getProperty("test.spark.classpath", built.toString()));
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
   * ClassArchive}. Who comes first makes it; nobody else writes to it.
   */
  static SparkHome shared() {
    List<Path> jars = sparkJars();
    Path homes = Path.of("target", "spark-home").toAbsolutePath();
    Path folder = homes.resolve(Integer.toHexString(jars.hashCode()));
    SparkHome home = new SparkHome(folder, classPath(folder.resolve("jars"), jars));
    Path made = folder.resolve("made");
    try {
      Files.createDirectories(homes);
      try (FileChannel lock =
          FileChannel.open(
              homes.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        lock.lock();
        if (!Files.exists(made)) {
          Path links = Files.createDirectory(emptyFolder(folder).resolve("jars"));
          for (Path jar : jars) {
            Files.createSymbolicLink(links.resolve(jar.getFileName()), jar);
          }
          if (ClassArchive.canBeMade()) {
            home.archiveClasses();
          }
          Files.createFile(made);
        }
      }
      return home;
    } catch (IOException e) {
      throw new IllegalStateException("cannot make a Spark home in " + folder, e);
    }
  }

  /** As Spark's launcher writes it for executors. */
  private static String classPath(Path links, List<Path> jars) {
    Path slf4j =
        jars.stream()
            .map(Path::getFileName)
            .filter(name -> name.toString().startsWith("slf4j-api-"))
            .findFirst()
            .orElseThrow();
    return String.join(
        File.pathSeparator,
        links.resolveSibling("conf").toString(),
        links.resolve(slf4j).toString(),
        links + File.separator + "*");
  }

  /** Runs a query of the test applications in local mode: driver and executor in one. */
  private void archiveClasses() throws IOException {
    List<String> command =
        List.of(
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            "local[2]",
            "--jars",
            JarFiles.plugin(home).toString(),
            "--conf",
            "spark.plugins=io.github.sparkgpusched.GpuSchedPlugin",
            "--conf",
            "spark.driver.host=127.0.0.1",
            "--conf",
            "spark.ui.port=0",
            "--class",
            CompareApp.class.getName(),
            JarFiles.applications(home).toString(),
            "1000");
    // The guard is not in all class paths, nor may a folder be in that of an archive.
    try (ChildProcess app =
        ChildProcess.unguarded(
            "archive",
            home,
            classPath,
            Map.of("SPARK_HOME", path()),
            List.of(ClassArchive.write(archive())),
            command)) {
      if (app.awaitEnd() != 0) {
        throw new IOException(app.log());
      }
    }
    ClassArchive.finish(archive());
  }

  private Path archive() {
    return home.resolve("classes.jsa");
  }

  String path() {
    return home.toString();
  }

  String classPath() {
    return classPath;
  }

  /** Options for JVMs whose class path begins with {@link #classPath}. */
  List<String> javaOptions() {
    return ClassArchive.use(archive());
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
