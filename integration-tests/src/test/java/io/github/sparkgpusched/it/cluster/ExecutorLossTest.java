package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.LossApp;
import io.github.sparkgpusched.it.cluster.app.SpeculationApp;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executors that are killed by SIGKILL in the middle of a batch. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class ExecutorLossTest {
  private static final Map<String, String> CONF =
      Map.of(
          "spark.executor.cores",
          "2",
          "spark.cores.max",
          "4",
          "spark.gpusched.batching",
          "always",
          // One job for the whole query, so that a reduce stage is one of its stages.
          "spark.sql.adaptive.enabled",
          "false");

  @Test
  void whileHelpersComputeCostsTheTaskAnAttempt(StandaloneCluster cluster) {
    try (Application app = cluster.submit(LossApp.class, CONF, "map")) {
      String executor = app.answer("at work");
      app.awaitExecutorOutput(executor, "a helper is at work");
      assertEquals("true", app.answer("reported"));
      app.kill(executor);
      assertRight(app);
      assertEquals("true", app.answer("failed tasks"));
      checkLoad(app);
      assertEquals("0", app.answer("accumulated too much"));
      app.awaitSuccess();
      assertTrue(app.log().contains("/host:1="), app.log());
    }
  }

  @Test
  void inAReduceStageCostsItAndTheMapStageAnAttempt(StandaloneCluster cluster) {
    try (Application app = cluster.submit(LossApp.class, CONF, "reduce")) {
      String executor = app.answer("at work");
      assertEquals("true", app.answer("reported"));
      app.kill(executor);
      assertRight(app);
      assertEquals("true", app.answer("stage retries"));
      checkLoad(app);
      // An accumulator has what successful tasks did, and some were computed again.
      assertTrue(Long.parseLong(app.answer("accumulated too much")) > 0);
      app.awaitSuccess();
    }
  }

  @Test
  void aSlowAttemptThatAnotherOvertakesIsWaste(StandaloneCluster cluster) {
    Map<String, String> conf = new HashMap<>(CONF);
    conf.put("spark.speculation", "true");
    conf.put("spark.speculation.quantile", "0.5");
    conf.put("spark.speculation.multiplier", "1.5");
    conf.put("spark.speculation.minTaskRuntime", "100ms");
    try (Application app = cluster.submit(SpeculationApp.class, conf)) {
      assertEquals("true", app.answer("equal"));
      checkLoad(app);
      assertEquals("0", app.answer("accumulated too much"));
      app.awaitSuccess();
    }
  }

  /** Devices computed what the query needed and what was in vain, and nothing else. */
  private static void checkLoad(Application app) {
    String load = app.answer("load");
    assertEquals("0", app.answer("balance"), load);
    assertEquals("true", app.answer("wasted rows"), load);
  }

  private static void assertRight(Application app) {
    assertEquals("true", app.answer("equal"));
    assertEquals("true", app.answer("batched"));
    assertEquals("1", app.answer("lost executors"));
  }
}
