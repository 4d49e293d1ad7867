package io.github.sparkgpusched.it.campaign;

import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.Holdings;
import io.github.sparkgpusched.it.testing.TestSpark;

/** What campaigns on a local Spark wait for. */
public final class CampaignSpark {
  private CampaignSpark() {}

  /** Nothing of a query is left. */
  public static void awaitIdle() {
    Waiting.until(
        () -> "left: " + Holdings.now().unreturned(), () -> Holdings.now().unreturned().isEmpty());
  }

  /** Ends Spark, after which no thread of the plugin may be left. */
  public static void end() {
    TestSpark.stop();
    Waiting.until(
        () -> "threads left: " + TestSpark.pluginThreads(),
        () -> TestSpark.pluginThreads().isEmpty());
  }
}
