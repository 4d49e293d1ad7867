package io.github.sparkgpusched.it.cluster.app;

import io.github.sparkgpusched.it.testing.Holdings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;

/** What executors still hold while no query runs. */
final class Leftovers {
  private static final Pattern LISTENS =
      Pattern.compile("shares cores with others, on [0-9.]+:([0-9]+)");

  /** Of the kernel's table: established, and closed by the other end alone. */
  private static final Set<String> OPEN = Set.of("01", "08");

  /** What an executor held when it was first asked. */
  private static final AtomicReference<Holdings> FIRST = new AtomicReference<>();

  private Leftovers() {}

  /**
   * Asks all executors, until nothing is left or nobody would wait longer: lanes end some seconds
   * after the last block.
   *
   * @return one line an executor that holds something, or has not answered
   */
  static List<String> await(SparkSession spark) throws InterruptedException {
    long deadline = System.nanoTime() + Answers.PATIENCE.toNanos();
    List<String> left = now(spark, ExecutorProcesses.alive(spark));
    while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
      Thread.sleep(500);
      left = now(spark, ExecutorProcesses.alive(spark));
    }
    return left;
  }

  private static List<String> now(SparkSession spark, Set<String> executors) {
    int others = executors.size() - 1;
    int tasks = 4 * executors.size();
    Map<String, String> held = new TreeMap<>();
    for (String line :
        spark
            .range(0, tasks, 1, tasks)
            .mapPartitions(
                (MapPartitionsFunction<Long, String>) rows -> here(rows, others), Encoders.STRING())
            .collectAsList()) {
      int at = line.indexOf(':');
      held.put(line.substring(0, at), line.substring(at + 1));
    }
    List<String> left = new ArrayList<>();
    for (String executor : executors) {
      String what = held.getOrDefault(executor, "has not answered");
      if (!what.isEmpty()) {
        left.add("executor " + executor + ": " + what);
      }
    }
    return left;
  }

  /** On an executor, by a task of its own. */
  private static Iterator<String> here(Iterator<Long> rows, int others) throws Exception {
    Thread.sleep(100); // so that each executor has one of these tasks
    while (rows.hasNext()) {
      rows.next();
    }
    List<String> held = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("gpusched-guest-")) {
        held.add("thread " + thread.getName());
      }
    }
    System.gc(); // direct memory goes with the buffers that nobody has any more
    Holdings now =
        Holdings.now()
            .withoutExecutionBytes(
                TaskContext.get().taskMemoryManager().getMemoryConsumptionForThisTask());
    FIRST.compareAndSet(null, now);
    held.addAll(now.since(FIRST.get()));
    int connections = connections();
    if (connections > others) {
      held.add(connections + " connections of " + others + " executors");
    }
    return List.of(SparkEnv.get().executorId() + ":" + String.join(", ", held)).iterator();
  }

  /** To the port on which this executor lends. An executor has one connection to each other. */
  private static int connections() throws IOException {
    Path log = Path.of("executor.log");
    if (!Files.exists(log)) {
      return 0;
    }
    MatchResult listens = LISTENS.matcher(Files.readString(log)).results().findFirst().orElse(null);
    if (listens == null) {
      return 0;
    }
    String end = String.format(":%04X", Integer.parseInt(listens.group(1)));
    int open = 0;
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
        String[] parts = line.trim().split("\\s+", -1);
        open += parts[1].endsWith(end) && OPEN.contains(parts[3]) ? 1 : 0;
      }
    }
    return open;
  }
}
