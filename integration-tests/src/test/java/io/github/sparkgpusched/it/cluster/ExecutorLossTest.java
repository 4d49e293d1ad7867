package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.LossApp;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executors that are killed by SIGKILL in the middle of a batch. */
@Tag("cluster")
@Timeout(240)
@ExtendWith(SharedCluster.class)
class ExecutorLossTest {
  private static final Map<String, String> CONF =
      Map.of(
          "spark.executor.cores",
          "2",
          "spark.cores.max",
          "4",
          // One job for the whole query, so that a reduce stage is one of its stages.
          "spark.sql.adaptive.enabled",
          "false");

  @Test
  void whileHelpersComputeCostsTheTaskAnAttempt(StandaloneCluster cluster) {
    try (Application app = cluster.submit(LossApp.class, CONF, "map")) {
      String executor = app.answer("at work");
      app.awaitExecutorOutput(executor, "a helper is at work");
      app.kill(executor);
      assertRight(app);
      assertEquals("true", app.answer("failed tasks"));
      app.awaitSuccess();
      assertTrue(app.log().contains("/host:1="), app.log());
    }
  }

  @Test
  void inAReduceStageCostsItAndTheMapStageAnAttempt(StandaloneCluster cluster) {
    try (Application app = cluster.submit(LossApp.class, CONF, "reduce")) {
      app.kill(app.answer("at work"));
      assertRight(app);
      assertEquals("true", app.answer("stage retries"));
      app.awaitSuccess();
    }
  }

  private static void assertRight(Application app) {
    assertEquals("true", app.answer("equal"));
    assertEquals("true", app.answer("batched"));
    assertEquals("1", app.answer("lost executors"));
  }
}
