package io.github.sparkgpusched.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * A Spark plugin that notes when an executor of one core began its last task. It comes before the
 * plugin that is measured, which gives the core back then.
 */
public final class TaskClock implements SparkPlugin {
  private record Start(long nanos, Path schedule, long waitedNanos, long rowsOfAnother) {}

  private static final AtomicLong ROWS_OF_ANOTHER = new AtomicLong();

  private static volatile Start start;
  private static volatile long rowOfAnotherNanos = Long.MIN_VALUE;

  /** A row for another executor is done. */
  static void rowOfAnother() {
    rowOfAnotherNanos = System.nanoTime();
    ROWS_OF_ANOTHER.incrementAndGet();
  }

  /**
   * Microseconds since the task at hand began; of these, those in which its thread could have run
   * and had no core; how long rows for another executor were computed after it began; and how many
   * of these there were, the one at hand included. Commas between them.
   */
  static String sinceTaskStart() throws IOException {
    Start of = start;
    long nanos = System.nanoTime() - of.nanos();
    long another = rowOfAnotherNanos;
    // Before any, the difference would overflow.
    double stayed = another == Long.MIN_VALUE ? 0 : Math.max(0, another - of.nanos()) / 1e3;
    return String.join(
        ",",
        String.valueOf(nanos / 1e3),
        String.valueOf((waited(of.schedule()) - of.waitedNanos()) / 1e3),
        String.valueOf(stayed),
        String.valueOf(ROWS_OF_ANOTHER.get() - of.rowsOfAnother()));
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
        long waited = waited(schedule);
        start = new Start(System.nanoTime(), schedule, waited, ROWS_OF_ANOTHER.get());
      } catch (IOException e) {
        throw new IllegalStateException("Linux alone tells how long threads wait", e);
      }
    }
  }
}
