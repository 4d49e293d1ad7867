package io.github.sparkgpusched.it.cluster;

import io.github.sparkgpusched.bench.cluster.EndsWithInput;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.launcher.JavaModuleOptions;

/** A JVM that a test starts. Its output goes to a file. Closing it ends it and its children. */
final class ChildProcess implements AutoCloseable {
  /** For JVMs that live for seconds: they compile quickly rather than well. */
  static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private final String name;
  private final Process process;
  private final Path log;

  private ChildProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a JVM.
   *
   * @param name of the log file in {@code folder}, which is the JVM's working folder
   * @param classPath Spark's jars; the guard is added
   * @param mainAndArguments the class to run and its arguments
   */
  static ChildProcess java(
      String name,
      Path folder,
      String classPath,
      Map<String, String> environment,
      List<String> options,
      List<String> mainAndArguments) {
    List<String> guarded = new ArrayList<>(List.of(EndsWithInput.class.getName()));
    guarded.addAll(mainAndArguments);
    return unguarded(
        name,
        folder,
        classPath + File.pathSeparator + guard(folder),
        environment,
        options,
        guarded);
  }

  /** The same with this class path alone: for a JVM that ends by itself. */
  static ChildProcess unguarded(
      String name,
      Path folder,
      String classPath,
      Map<String, String> environment,
      List<String> options,
      List<String> mainAndArguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().split(" ")));
    command.addAll(QUICK_START);
    command.add("-Xmx512m");
    command.add("-Djava.io.tmpdir=" + folder.toAbsolutePath());
    command.addAll(options);
    command.add("-cp");
    command.add(classPath);
    command.addAll(mainAndArguments);
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("SPARK_"));
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("SPARK_LOCAL_HOSTNAME", "127.0.0.1");
    builder.environment().put("SPARK_SCALA_VERSION", scalaVersion());
    builder.environment().putAll(environment);
    try {
      return new ChildProcess(name, builder.start(), log);
    } catch (IOException e) {
      throw new IllegalStateException("cannot start " + name, e);
    }
  }

  /** As 2.13. */
  private static String scalaVersion() {
    String full = scala.util.Properties.versionNumberString();
    return full.substring(0, full.lastIndexOf('.'));
  }

  /** Options as a line that a JVM or Spark takes apart again, whatever their paths are. */
  static String line(List<String> options) {
    return options.stream().map(option -> "'" + option + "'").collect(Collectors.joining(" "));
  }

  /** A folder with the guard's class and no other: the plugin must not be found beside it. */
  private static Path guard(Path folder) {
    String file = EndsWithInput.class.getName().replace('.', '/') + ".class";
    Path copy = folder.resolve("guard").resolve(file);
    if (!Files.exists(copy)) {
      try (var in = EndsWithInput.class.getClassLoader().getResourceAsStream(file)) {
        Files.createDirectories(copy.getParent());
        Files.copy(in, copy);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    return folder.resolve("guard").toAbsolutePath();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  String log() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for a line of the log and returns its first group. */
  String awaitLine(String regex) {
    return awaitLine(regex, Waiting.PATIENCE);
  }

  /** The same for a line that takes longer. */
  String awaitLine(String regex, Duration atMost) {
    Pattern pattern = Pattern.compile(regex);
    String[] found = new String[1];
    Waiting.until(
        () -> name + " did not log '" + regex + "'; its log:\n" + log(),
        atMost,
        () -> {
          Matcher matcher = pattern.matcher(log());
          if (matcher.find()) {
            found[0] = matcher.group(1);
            return true;
          }
          if (!process.isAlive()) {
            throw new AssertionError(name + " ended with " + process.exitValue() + ":\n" + log());
          }
          return false;
        });
    return found[0];
  }

  /** Waits for the end and returns the exit status. */
  int awaitEnd() {
    try {
      if (!process.waitFor(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(name + " did not end:\n" + log());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    awaitEnd();
  }
}
