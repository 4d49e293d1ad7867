package io.github.sparkgpusched.it.cluster.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/** The processes of an application's executors, on this host. */
final class ExecutorProcesses {
  private static final Pattern LANE =
      Pattern.compile("(remote:[0-9]+) is lane [0-9]+ of executor ([0-9]+)");

  private final String application;

  ExecutorProcesses(String application) {
    this.application = application;
  }

  /** Executors that the driver can give tasks. */
  static Set<String> alive(SparkSession spark) {
    return Set.copyOf(CollectionConverters.asJava(spark.sparkContext().getExecutorIds()));
  }

  /** A Worker starts each executor in a folder of its own. */
  private Path folder(ProcessHandle process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", String.valueOf(process.pid()), "cwd"));
    } catch (IOException e) {
      return Path.of("/"); // has ended, or is another's
    }
  }

  private Optional<ProcessHandle> find(String executor) {
    return ProcessHandle.allProcesses()
        .filter(process -> folder(process).endsWith(Path.of(application, executor)))
        .findFirst();
  }

  /** True if it was there. */
  boolean kill(String executor) {
    return find(executor).map(ProcessHandle::destroyForcibly).orElse(false);
  }

  /** True if it was there. */
  boolean stop(String executor, long millis) throws IOException {
    Optional<ProcessHandle> process = find(executor);
    if (process.isPresent()) {
      stop(process.get().pid(), millis);
    }
    return process.isPresent();
  }

  /** A process, this one too, stands still for a while. Another one wakes it. */
  static void stop(long pid, long millis) throws IOException {
    String seconds = millis / 1000 + "." + String.format("%03d", millis % 1000);
    new ProcessBuilder(
            "sh", "-c", "kill -STOP " + pid + "; sleep " + seconds + "; kill -CONT " + pid)
        .inheritIO()
        .start();
  }

  /** Who has lent to an executor last, by its devices; as its log says. */
  List<String> lenders(String owner) throws IOException {
    Optional<ProcessHandle> process = find(owner);
    if (process.isEmpty()) {
      return List.of();
    }
    Map<String, String> last = new LinkedHashMap<>();
    Path log = folder(process.get()).resolve("executor.log");
    if (Files.exists(log)) {
      for (MatchResult lane : LANE.matcher(Files.readString(log)).results().toList()) {
        last.remove(lane.group(1));
        last.put(lane.group(1), lane.group(2));
      }
    }
    return List.copyOf(last.values());
  }
}
