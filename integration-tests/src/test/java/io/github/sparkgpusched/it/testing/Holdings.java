package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.columnar.BatchMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;

/**
 * What a JVM with the plugin holds at a moment. For Linux; elsewhere it has no files and sockets.
 *
 * @param batchBytes memory of batches
 * @param executionBytes what Spark's memory manager has given to tasks
 * @param directBytes of direct buffers
 * @param mappedBytes of mapped files
 * @param threads that live, but for those of pools of Spark that come and go
 * @param files open ones, sockets among them
 * @param sockets open ones
 * @param processes that it has started and that live, say Python's
 */
public record Holdings(
    long batchBytes,
    long executionBytes,
    long directBytes,
    long mappedBytes,
    int threads,
    int files,
    int sockets,
    long processes) {
  /**
   * By how much counts may grow between two moments: Spark and the JVM make threads and open jars
   * when they first need them.
   */
  private static final int MORE = 24;

  private static final long MORE_BYTES = 32L << 20;

  private static final int NAMED = 8;

  /** Pools of Spark that have a thread for each broadcast or stage of a query, for a minute. */
  private static final List<String> OF_SPARKS_POOLS =
      List.of(
          "block-manager-",
          "broadcast-exchange-",
          "QueryStageCreator-",
          "ResultQueryStageExecution-",
          "shuffle-exchange-",
          "subquery-");

  private static final Path FILES = Path.of("/proc/self/fd");

  /** What this JVM holds now. */
  public static Holdings now() {
    int files = 0;
    int sockets = 0;
    if (Files.isDirectory(FILES)) {
      try (Stream<Path> all = Files.list(FILES)) {
        for (Path file : all.toList()) {
          files++;
          sockets += target(file).startsWith("socket:") ? 1 : 0;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new Holdings(
        BatchMemory.liveBytes(),
        executionBytesNow(),
        buffers("direct"),
        buffers("mapped"),
        (int)
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> OF_SPARKS_POOLS.stream().noneMatch(thread.getName()::startsWith))
                .count(),
        files,
        sockets,
        ProcessHandle.current().descendants().count());
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // was closed meanwhile
    }
  }

  private static long buffers(String pool) {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(bean -> bean.getName().equals(pool))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** The same without so many bytes, which the task has that asks. */
  public Holdings withoutExecutionBytes(long bytes) {
    return new Holdings(
        batchBytes,
        executionBytes - bytes,
        directBytes,
        mappedBytes,
        threads,
        files,
        sockets,
        processes);
  }

  /** True if no query holds memory: what {@link #unreturned} says, without a look at the rest. */
  public static boolean isIdle() {
    return BatchMemory.liveBytes() == 0 && executionBytesNow() == 0;
  }

  private static long executionBytesNow() {
    SparkEnv env = SparkEnv.get();
    return env == null ? 0 : env.memoryManager().executionMemoryUsed();
  }

  /** What must be nothing while no query runs, and is not. */
  public List<String> unreturned() {
    List<String> left = new ArrayList<>();
    add(left, batchBytes, 0, "bytes of batches");
    add(left, executionBytes, 0, "bytes of execution memory");
    return left;
  }

  /** That, and what has grown since an earlier moment by more than Spark makes it grow. */
  public List<String> since(Holdings before) {
    List<String> left = unreturned();
    add(left, directBytes, before.directBytes + MORE_BYTES, "bytes of direct memory");
    add(left, mappedBytes, before.mappedBytes + MORE_BYTES, "bytes of mapped files");
    add(left, threads, before.threads + MORE, "threads (" + families() + ")");
    add(left, files, before.files + MORE, "open files");
    add(left, sockets, before.sockets + MORE, "open sockets");
    add(left, processes, before.processes, "processes (" + commands() + ")");
    return left;
  }

  /** Processes that live now and did not at an earlier moment may be Hadoop's, for a moment. */
  public boolean hasMoreProcessesThan(Holdings before) {
    return processes > before.processes;
  }

  private static String commands() {
    return ProcessHandle.current()
        .descendants()
        .map(process -> process.info().commandLine().orElse("ended"))
        .limit(NAMED)
        .collect(Collectors.joining(", "));
  }

  /** The live threads' names without their numbers, those that there are most of. */
  private static String families() {
    Map<String, Long> counts =
        Thread.getAllStackTraces().keySet().stream()
            .collect(
                Collectors.groupingBy(
                    thread -> thread.getName().replaceAll("[0-9]+", "N"), Collectors.counting()));
    return counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(NAMED)
        .map(family -> family.getValue() + " " + family.getKey())
        .collect(Collectors.joining("/ "));
  }

  private static void add(List<String> left, long value, long most, String what) {
    if (value > most) {
      left.add(value + " " + what + (most == 0 ? "" : " where at most " + most + " may be"));
    }
  }
}
