package io.github.sparkgpusched.it.testing;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** The session that tests of one JVM share: starting Spark takes longer than most of them. */
public final class TestSpark {
  /** Of this JVM alone: one before it may have had the same number, and has left its files. */
  private static final String JVM =
      ProcessHandle.current().pid() + "-" + ManagementFactory.getRuntimeMXBean().getStartTime();

  private TestSpark() {}

  /**
   * The shared session; a new one if another test has stopped it. It batches all rows, as most
   * tests are of batches: others set {@code spark.gpusched.batching} back to auto.
   */
  public static synchronized SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("tests")
        .config("spark.ui.enabled", "false")
        .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
        .config("spark.gpusched.batching", "always")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", directory("warehouse").toUri().toString())
        .getOrCreate();
  }

  /** Ends the session that there is, as one with other settings is to be started. */
  public static void stop() {
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
  }

  /** The plugin's threads that are alive. */
  public static List<Thread> pluginThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getName().startsWith("gpusched-"))
        .toList();
  }

  /** A directory for a test's files; not made yet. */
  public static Path directory(String name) {
    return Path.of("target", "tmp", name + "-" + JVM).toAbsolutePath();
  }
}
