package io.github.sparkgpusched.it.campaign;

import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.Holdings;
import io.github.sparkgpusched.it.testing.TestSpark;
import org.apache.spark.sql.SparkSession;

/** The local Spark of campaigns, and what they wait for. */
public final class CampaignSpark {
  private CampaignSpark() {}

  /** A session with the plugin, in which a task may leave nothing of its execution memory. */
  public static SparkSession.Builder session(String master, String name) {
    return SparkSession.builder()
        .master(master)
        .appName(name)
        .config("spark.ui.enabled", "false")
        .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
        .config("spark.sql.warehouse.dir", TestSpark.directory("warehouse").toString())
        .config("spark.unsafe.exceptionOnMemoryLeak", "true");
  }

  /** Nothing of a query is left. */
  public static void awaitIdle() {
    Waiting.until(() -> "left: " + Holdings.now().unreturned(), Holdings::isIdle);
  }

  /** Ends Spark, after which no thread of the plugin may be left. */
  public static void end() {
    TestSpark.stop();
    Waiting.until(
        () -> "threads left: " + TestSpark.pluginThreads(),
        () -> TestSpark.pluginThreads().isEmpty());
  }
}
