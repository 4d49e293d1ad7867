package io.github.sparkgpusched.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * A Spark plugin that notes when an executor of one core began its last task. It comes before the
 * plugin that is measured, which gives the core back then.
 */
public final class TaskClock implements SparkPlugin {
  private record Start(long nanos, Path schedule, long waitedNanos) {}

  private static volatile Start start;
  private static volatile long rowOfAnotherNanos = Long.MIN_VALUE;

  /** A row for another executor is done. */
  static void rowOfAnother() {
    rowOfAnotherNanos = System.nanoTime();
  }

  /**
   * Microseconds since the task at hand began; of these, those in which its thread could have run
   * and had no core; and how long rows for another executor were computed after it began. Commas
   * between them.
   */
  static String sinceTaskStart() throws IOException {
    Start of = start;
    long nanos = System.nanoTime() - of.nanos();
    long another = rowOfAnotherNanos;
    // Before any, the difference would overflow.
    double stayed = another == Long.MIN_VALUE ? 0 : Math.max(0, another - of.nanos()) / 1e3;
    return nanos / 1e3 + "," + (waited(of.schedule()) - of.waitedNanos()) / 1e3 + "," + stayed;
  }

  /** Linux tells of each thread: time on a core, time that it waited for one, how often. */
  private static long waited(Path schedule) throws IOException {
    return Long.parseLong(Files.readString(schedule).split(" ", -1)[1]);
  }

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Clock();
  }

  private static final class Clock implements ExecutorPlugin {
    @Override
    public void init(PluginContext context, Map<String, String> conf) {}

    @Override
    public void onTaskStart() {
      try {
        // Another thread may compute the rows, and "self" is then another one.
        Path schedule = Path.of("/proc/thread-self").toRealPath().resolve("schedstat");
        start = new Start(System.nanoTime(), schedule, waited(schedule));
      } catch (IOException e) {
        throw new IllegalStateException("Linux alone tells how long threads wait", e);
      }
    }
  }
}
