package io.github.sparkgpusched.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A real standalone cluster on this host: a Master and Workers of three cores and 2 GiB each, as
 * processes of their own, with nothing installed but Spark. Its folders are below {@code
 * target/cluster}.
 *
 * <p>Each Worker also offers two GPUs, found by the project's discovery script with a made-up
 * {@code nvidia-smi}; applications that do not ask for any are not concerned.
 */
final class StandaloneCluster implements AutoCloseable {

  /** Of the Maven profile {@code late-events}: for applications as for the tests themselves. */
  private static final String LISTENERS = "spark.extraListeners";

  /** More than this host may have: executors must not count the host's. */
  static final int WORKER_CORES = 3;

  private final Path folder;
  private final Map<String, String> conf;
  private final SparkHome home;
  private final Path plugin;
  private final Path applications;
  private final Path jobs;
  private final ChildProcess master;
  private final String url;
  private final List<ChildProcess> workers = new ArrayList<>();
  private int submissions;

  static StandaloneCluster start(String name, int workers) {
    return start(name, workers, Map.of());
  }

  /**
   * Starts a cluster.
   *
   * @param conf settings of the Master and the Workers, and of all applications
   */
  static StandaloneCluster start(String name, int workers, Map<String, String> conf) {
    return new StandaloneCluster(
        SparkHome.emptyFolder(Path.of("target", "cluster", name)), workers, conf);
  }

  private StandaloneCluster(Path folder, int workers, Map<String, String> conf) {
    this.folder = folder;
    this.conf = conf;
    home = SparkHome.shared();
    plugin = JarFiles.plugin(folder);
    applications = JarFiles.applications(folder);
    jobs = JarFiles.jobs(folder);
    master =
        spark(
            "master",
            home.classPath(),
            Map.of(),
            // By a clock that is set, a worker is not heard of for longer than the usual minute.
            withConf(List.of("-Dspark.master.rest.enabled=false", "-Dspark.worker.timeout=1200")),
            "org.apache.spark.deploy.master.Master",
            List.of("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"));
    try {
      url = master.awaitLine("Starting Spark master at (spark://\\S+)");
      for (int i = 0; i < workers; i++) {
        this.workers.add(startWorker(i));
      }
      for (ChildProcess worker : this.workers) {
        worker.awaitLine("(Successfully registered with master)");
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private ChildProcess startWorker(int number) {
    return spark(
        "worker-" + number,
        home.classPath(),
        Map.of("PATH", FakeGpus.folder(folder) + ":" + System.getenv("PATH")),
        withConf(FakeGpus.workerOptions()),
        "org.apache.spark.deploy.worker.Worker",
        List.of(
            "--host",
            host(number),
            "--port",
            "0",
            "--webui-port",
            "0",
            "--cores",
            String.valueOf(WORKER_CORES),
            "--memory",
            "2g",
            "--work-dir",
            workFolder(number).toString(),
            url));
  }

  private List<String> withConf(List<String> options) {
    List<String> all = new ArrayList<>(options);
    conf.forEach((key, value) -> all.add("-D" + key + "=" + value));
    return all;
  }

  /** On Linux each its own: Spark starts no speculative attempt on the host of the other one. */
  private static String host(int worker) {
    boolean linux = System.getProperty("os.name").startsWith("Linux");
    return "127.0.0." + (linux ? 1 + worker : 1);
  }

  private Path workFolder(int worker) {
    return folder.resolve("work-" + worker);
  }

  private ChildProcess spark(
      String name,
      String classPath,
      Map<String, String> environment,
      List<String> options,
      String main,
      List<String> arguments) {
    Map<String, String> all = new LinkedHashMap<>(environment);
    all.put("SPARK_HOME", home.path());
    List<String> java = new ArrayList<>(home.javaOptions());
    java.addAll(options);
    List<String> command = new ArrayList<>(List.of(main));
    command.addAll(arguments);
    return ChildProcess.java(name, folder, classPath, all, java, command);
  }

  Path plugin() {
    return plugin;
  }

  /** Submits an application with the plugin, as the README says. */
  Application submit(Class<?> main, Map<String, String> conf, String... arguments) {
    return submitBare(main, withPlugin(conf), arguments);
  }

  /** Submits one of the project's jobs with the plugin, as the README says. */
  Application submitJob(Class<?> main, Map<String, String> conf, String... arguments) {
    return submit(jobs, main, withPlugin(conf), home.classPath(), arguments);
  }

  private Map<String, String> withPlugin(Map<String, String> conf) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("spark.jars", plugin.toString());
    all.put("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin");
    all.putAll(conf);
    return all;
  }

  /** Submits an application with these settings and those that bind it to this cluster. */
  Application submitBare(Class<?> main, Map<String, String> conf, String... arguments) {
    return submit(applications, main, conf, home.classPath(), arguments);
  }

  /** The same with the plugin on the driver's class path, and on no executor's. */
  Application submitDriverOnly(Class<?> main, Map<String, String> conf, String... arguments) {
    return submit(
        applications, main, conf, home.classPath() + File.pathSeparator + plugin, arguments);
  }

  private synchronized Application submit(
      Path jar, Class<?> main, Map<String, String> own, String classPath, String... arguments) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("spark.master", url);
    all.put("spark.driver.host", "127.0.0.1");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    all.put("spark.ui.port", "0");
    all.put("spark.executor.memory", "512m");
    all.put(
        "spark.executor.extraJavaOptions",
        ChildProcess.line(ChildProcess.QUICK_START)
            + " "
            + ChildProcess.line(home.javaOptions())
            + " -Dlog4j2.configurationFile="
            + executorLogging());
    all.put("spark.sql.shuffle.partitions", "4");
    // Workers have addresses of their own, and nothing is nearer to one of them.
    all.put("spark.locality.wait", "0");
    all.put("spark.unsafe.exceptionOnMemoryLeak", "true");
    all.put("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri().toString());
    if (System.getProperty(LISTENERS) != null && jar.equals(applications)) {
      all.put(LISTENERS, System.getProperty(LISTENERS));
    }
    all.putAll(conf);
    all.putAll(own);
    int number = submissions++;
    List<String> command = new ArrayList<>();
    all.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    command.addAll(List.of("--class", main.getName(), jar.toString()));
    command.addAll(Arrays.asList(arguments));
    String name = "submit-" + number + "-" + main.getSimpleName();
    return new Application(
        this,
        spark(
            name, classPath, Map.of(), List.of(), "org.apache.spark.deploy.SparkSubmit", command));
  }

  /** The executors' processes, of all applications. */
  private List<ProcessHandle> executors() {
    return workers.stream().flatMap(worker -> worker.handle().children()).toList();
  }

  /**
   * Executors log to a file of their own. Their stderr does not do: a Worker stops to read it when
   * it ends an executor, so that the last lines may be lost.
   */
  private String executorLogging() {
    Path file = folder.resolve("executor-log4j2.properties");
    try {
      Files.writeString(
          file,
          """
          shutdownHook = disable
          rootLogger.level = info
          rootLogger.appenderRef.file.ref = file
          appender.file.type = File
          appender.file.name = file
          appender.file.fileName = executor.log
          appender.file.layout.type = PatternLayout
          appender.file.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex
          """);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return file.toUri().toString();
  }

  /** Kills an application's executor without a warning. */
  void kill(String applicationId, String executor) {
    ProcessHandle process =
        executors().stream()
            .filter(p -> isIn(p, Path.of(applicationId, executor)))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no process of executor " + executor));
    process.destroyForcibly();
  }

  /** Whether an executor of an application is a process still. */
  boolean hasExecutors(String applicationId) {
    return executors().stream()
        .anyMatch(process -> cwd(process).getParent().endsWith(Path.of(applicationId)));
  }

  /** A Worker starts each executor in a folder of its own. */
  private static boolean isIn(ProcessHandle process, Path end) {
    return cwd(process).endsWith(end);
  }

  private static Path cwd(ProcessHandle process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", String.valueOf(process.pid()), "cwd"));
    } catch (IOException e) {
      return Path.of("/has/ended");
    }
  }

  /** What the executors of an application logged, by executor. */
  Map<String, String> executorLogs(String applicationId) {
    return executorFiles(applicationId, "executor.log");
  }

  /** A file of each executor of an application, by executor. */
  Map<String, String> executorFiles(String applicationId, String name) {
    Map<String, String> logs = new LinkedHashMap<>();
    for (int i = 0; i < workers.size(); i++) {
      Path executors = workFolder(i).resolve(applicationId);
      if (!Files.isDirectory(executors)) {
        continue;
      }
      try (Stream<Path> found = Files.list(executors)) {
        for (Path executor : found.sorted().toList()) {
          Path log = executor.resolve(name);
          if (Files.exists(log)) {
            logs.put(executor.getFileName().toString(), Files.readString(log));
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    return logs;
  }

  @Override
  public void close() {
    workers.forEach(ChildProcess::close);
    master.close();
  }
}
