package io.github.sparkgpusched.bench.cluster;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * A standalone cluster on this machine: a Master and a Worker, processes of their own that have
 * Spark's jars alone, and executors of one core each. Its logs are in its folder.
 */
final class LocalCluster implements AutoCloseable {
  private static final int WORKER_CORES = 8;
  private static final long START_SECONDS = 120;

  private final Path folder;
  private final List<String> classPath;
  private final List<Process> processes = new ArrayList<>();
  private final String url;
  private int submissions;

  /**
   * @param out the benches' folder of results, in Maven's folder
   */
  LocalCluster(Path out) throws IOException, InterruptedException {
    folder = out.toAbsolutePath().resolve("cluster");
    // First the plugin's jar, then the benches' classes, then Spark's jars.
    classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
    empty(folder);
    Path jars = Files.createDirectories(home().resolve("jars"));
    for (String jar : classPath.subList(2, classPath.size())) {
      Files.createSymbolicLink(jars.resolve(Path.of(jar).getFileName()), Path.of(jar));
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "ends-cluster"));
    Path log = daemon("Master", List.of("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"));
    url = await(log, "Starting Spark master at ");
    Path worker =
        daemon(
            "Worker",
            List.of(
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--webui-port",
                "0",
                "--cores",
                String.valueOf(WORKER_CORES),
                "--memory",
                WORKER_CORES + "g",
                "--work-dir",
                folder.resolve("work").toString(),
                url));
    await(worker, "Successfully registered with master ");
  }

  private Path home() {
    return folder.resolve("home");
  }

  static void empty(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> old = Files.walk(folder)) {
        for (Path file : old.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Starts one of Spark's, and gives its log. */
  private Path daemon(String name, List<String> arguments) throws IOException {
    Path log = folder.resolve(name + ".log");
    List<String> command = new ArrayList<>(List.of("-Xmx512m", "-cp"));
    command.add(classPath.get(1) + File.pathSeparator + home().resolve("jars") + "/*");
    command.add(EndsWithInput.class.getName());
    command.add("org.apache.spark.deploy." + name.toLowerCase(java.util.Locale.ROOT) + "." + name);
    command.addAll(arguments);
    ProcessBuilder builder = java(command);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    processes.add(builder.start());
    return log;
  }

  private ProcessBuilder java(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptions().split(" ", -1)));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("SPARK_"));
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("SPARK_HOME", home().toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    return builder;
  }

  /** The word after a text in a log. */
  private static String await(Path log, String text) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < until) {
      String all = Files.readString(log);
      int at = all.indexOf(text);
      int end = all.indexOf('\n', Math.max(0, at));
      if (at >= 0 && end > at) {
        return all.substring(at + text.length(), end).split("\\s", 2)[0];
      }
      Thread.sleep(50);
    }
    throw new IOException("'" + text + "' is not in " + log);
  }

  /**
   * Submits {@link ClusterApp} with the plugin, as a user would.
   *
   * @param conf beside what binds it to this cluster
   */
  SubmittedApp submit(int executors, Map<String, String> conf) throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("spark.master", url);
    all.put("spark.driver.host", "127.0.0.1");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    all.put("spark.ui.enabled", "false");
    all.put("spark.executor.cores", "1");
    all.put("spark.cores.max", String.valueOf(executors));
    all.put("spark.executor.memory", "1g");
    all.put("spark.executor.extraJavaOptions", quiet());
    all.put("spark.jars", classPath.get(0));
    all.put("spark.plugins", TaskClock.class.getName() + ",io.github.sparkgpusched.GpuSchedPlugin");
    all.put("spark.sql.shuffle.partitions", "2");
    all.put("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri().toString());
    all.putAll(conf);
    List<String> command = new ArrayList<>(List.of("-Xmx1g", quiet(), "-cp"));
    command.add(home().resolve("jars") + "/*");
    command.add("org.apache.spark.deploy.SparkSubmit");
    all.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    command.addAll(List.of("--class", ClusterApp.class.getName(), jar().toString()));
    Path target = folder.getParent().getParent();
    command.add(target.resolveSibling("data").toString());
    command.add(String.valueOf(executors));
    Path log = folder.resolve("application-" + submissions++ + ".log");
    ProcessBuilder builder = java(command).redirectError(log.toFile());
    Process process = builder.start();
    processes.add(process);
    BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
    return new SubmittedApp(process, answers, log);
  }

  private String quiet() {
    return "-Dlog4j2.configurationFile=" + classPath.get(1) + "/quiet-log4j2.properties";
  }

  /** The jar that the benches' classes are packed in. */
  private Path jar() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(classPath.get(1)).getParent())) {
      return files
          .filter(file -> file.getFileName().toString().matches(".*integration-tests.*\\.jar"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Override
  public void close() {
    end();
    try {
      empty(folder.resolve("work"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end() {
    for (Process process : processes) {
      List<ProcessHandle> children = process.descendants().toList();
      process.destroy();
      children.forEach(ProcessHandle::destroy);
      process.onExit().join();
    }
  }
}
