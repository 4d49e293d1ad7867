package io.github.sparkgpusched.it.cluster;

import io.github.sparkgpusched.it.cluster.app.CompareApp;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * What a JVM makes of Spark's classes while it starts, kept in a file (class data sharing) for all
 * JVMs of the clusters: they start in half the time. A JVM whose class path does not begin with
 * that of the archive does without it, and says nothing.
 */
final class ClassArchive {
  private ClassArchive() {}

  /** Options of a JVM that uses the archive of a Spark home; makes it where there is none. */
  static List<String> options(Path home, String classPath) {
    Path archive = home.resolve("classes.jsa");
    try (FileChannel lock =
        FileChannel.open(
            home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      if (!Files.exists(archive)) {
        make(archive, home, classPath);
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot make " + archive, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return use(archive);
  }

  /** Options of a JVM that uses an archive. */
  static List<String> use(Path archive) {
    return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
  }

  /** The option of a JVM that writes an archive when it ends. */
  static String write(Path archive) {
    return "-XX:ArchiveClassesAtExit=" + archive;
  }

  /** Runs a query of the test applications in local mode: driver and executor in one. */
  private static void make(Path archive, Path home, String classPath)
      throws IOException, InterruptedException {
    Path unfinished = home.resolve("unfinished.jsa");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().split(" ")));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", write(unfinished)));
    command.addAll(List.of("-cp", classPath, "org.apache.spark.deploy.SparkSubmit"));
    command.addAll(List.of("--master", "local[2]", "--conf", "spark.ui.port=0"));
    command.addAll(List.of("--conf", "spark.driver.host=127.0.0.1"));
    command.addAll(List.of("--conf", "spark.jars=" + JarFiles.plugin(home)));
    command.addAll(List.of("--conf", "spark.plugins=io.github.sparkgpusched.GpuSchedPlugin"));
    command.addAll(List.of("--class", CompareApp.class.getName()));
    command.addAll(List.of(JarFiles.applications(home).toString(), "1000"));
    Path log = home.resolve("archive.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("SPARK_"));
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    try {
      if (!process.waitFor(3, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IOException(Files.readString(log));
      }
      Files.move(unfinished, archive);
    } finally {
      process.destroyForcibly();
    }
  }
}
