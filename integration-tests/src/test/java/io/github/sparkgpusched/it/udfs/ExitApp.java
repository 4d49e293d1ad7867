package io.github.sparkgpusched.it.udfs;

import io.github.sparkgpusched.it.testing.CampaignRow;
import io.github.sparkgpusched.it.testing.TestUdf1;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
  private static final List<String[]> WAYS =
      List.of(
          new String[] {"false", "auto"},
          new String[] {"true", "always"},
          new String[] {"true", "never"});

  private ExitApp() {}

  /** With the plugin on or not, and how rows are batched. */
  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.gpusched.enabled", args[0])
            .config("spark.gpusched.batching", args[1])
            .getOrCreate();
    TestUdf1<Long, Long> exits =
        value -> {
          Thread.sleep(1); // so that helpers come, and one of them may be who ends the JVM
          if (value == 700) {
            System.exit(STATUS);
          }
          return value;
        };
    spark.udf().register("exits", exits, DataTypes.LongType);
    spark.sql("select sum(exits(id)) from range(0, 1000, 1, 1)").collectAsList();
  }

  /** Each way once. */
  static CampaignRow row() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    int wrong = 0;
    for (String[] way : WAYS) {
      Process process = start(way);
      boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
      process.destroyForcibly();
      if (!ended || process.waitFor() != STATUS) {
        wrong++;
        System.out.println(
            "DOES NOT END AS IT SHOULD: System.exit with the plugin " + String.join(", ", way));
      }
    }
    return CampaignRow.since(begin, "udfs system-exit", WAYS.size(), WAYS.size(), wrong, List.of());
  }

  private static Process start(String[] way) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), ExitApp.class.getName()));
    command.addAll(List.of(way));
    File log = new File("target", "exit.log");
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
  }
}
