package io.github.sparkgpusched.it.udfs;

import io.github.sparkgpusched.it.testing.CampaignRow;
import io.github.sparkgpusched.it.testing.TestUdf1;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * A function that calls {@code System.exit}, which nothing survives, with the plugin or without: in
 * a JVM of its own, which has to end as the function says, and not to hang as it ends.
 */
final class ExitApp {
  private static final int STATUS = 77;
  private static final int MINUTES = 10;
  private static final int ROWS = 1000;

  /** With the plugin on or not, and how rows are batched. */
  static final List<String[]> WAYS =
      List.of(
          new String[] {"false", "auto"},
          new String[] {"true", "always"},
          new String[] {"true", "never"});

  private ExitApp() {}

  /** A way, and the row at which the JVM is to end. */
  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.enabled", args[0])
            .config("spark.gpusched.batching", args[1])
            .getOrCreate();
    long row = Long.parseLong(args[2]);
    TestUdf1<Long, Long> exits =
        value -> {
          Thread.sleep(1); // so that helpers come, and one of them may be who ends the JVM
          if (value == row) {
            System.exit(STATUS);
          }
          return value;
        };
    spark.udf().register("exits", exits, DataTypes.LongType);
    spark.sql("select sum(exits(id)) from range(0, " + ROWS + ", 1, 1)").collectAsList();
  }

  /** So many JVMs, one way after the other, at rows anywhere; some beside each other. */
  static CampaignRow row(int jvms, int lanes) throws Exception {
    long begin = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(lanes);
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < jvms; i++) {
      int number = i;
      all.add(pool.submit(() -> endsWell(number)));
    }
    int wrong = 0;
    for (Future<Boolean> each : all) {
      wrong += each.get() ? 0 : 1;
    }
    pool.shutdown();
    return CampaignRow.since(begin, "udfs system-exit", jvms, jvms, wrong, List.of());
  }

  private static boolean endsWell(int number) throws Exception {
    String[] way = WAYS.get(number % WAYS.size());
    // The last rows too, when helpers have come.
    String row = String.valueOf((number * 37L + 700) % ROWS);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    // They live for some seconds each.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), ExitApp.class.getName()));
    command.addAll(List.of(way));
    command.add(row);
    Path log = Path.of("target", "exit-" + number + ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
    process.destroyForcibly();
    int status = process.waitFor();
    if (!ended || status != STATUS) {
      System.out.printf(
          "DOES NOT END AS IT SHOULD: System.exit at row %s with the plugin %s: %s; see %s%n",
          row, String.join(", ", way), ended ? "status " + status : "it hangs", log);
      return false;
    }
    Files.delete(log);
    return true;
  }
}
