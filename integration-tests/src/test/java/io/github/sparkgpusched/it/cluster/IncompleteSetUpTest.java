package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.CompareApp;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Users who forget half of it, or misspell it. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class IncompleteSetUpTest {
  private static final String PLUGIN = "io.github.sparkgpusched.GpuSchedPlugin";

  @Test
  void aJarThatOnlyTheDriverHasEndsTheApplication(StandaloneCluster cluster) {
    Map<String, String> conf = Map.of("spark.plugins", PLUGIN, "spark.cores.max", "2");
    try (Application app = cluster.submitDriverOnly(CompareApp.class, conf, "1000")) {
      assertNotEquals(0, app.awaitEnd());
      // The error that the application's main method gets.
      assertTrue(
          app.log()
              .contains(
                  "Job aborted due to stage failure: executors cannot load "
                      + PLUGIN
                      + ": the driver has the plugin's jar, but they do not; give it by --jars"),
          app.log());
      // The last executors may have been ended before they failed.
      assertTrue(
          app.executorLogs().values().stream()
              .anyMatch(log -> log.contains("ClassNotFoundException: " + PLUGIN)),
          () -> app.executorLogs().toString());
    }
  }

  @Test
  void theExtensionWithoutThePluginIsRightAndWarnsOnce(StandaloneCluster cluster) {
    Map<String, String> conf =
        Map.of(
            "spark.jars",
            cluster.plugin().toString(),
            "spark.sql.extensions",
            "io.github.sparkgpusched.sql.GpuSchedExtensions",
            "spark.cores.max",
            "3");
    try (Application app = cluster.submitBare(CompareApp.class, conf, "100000")) {
      assertEquals("true", app.answer("equal"));
      assertEquals("true", app.answer("batched"));
      app.awaitSuccess();
      String warning = "the executor plugin is not running, so batches are not balanced";
      assertEquals(
          1,
          app.executorLogs().values().stream()
              .mapToInt(log -> log.split(warning, -1).length - 1)
              .max()
              .orElse(0));
    }
  }

  @Test
  void aMisspeltKeyStopsTheApplicationAtItsStart(StandaloneCluster cluster) {
    Map<String, String> conf = Map.of("spark.gpusched.batch.row", "5", "spark.master", "local[1]");
    try (Application app = cluster.submit(CompareApp.class, conf, "1000")) {
      assertNotEquals(0, app.awaitEnd());
      assertTrue(
          app.log()
              .contains(
                  "spark.gpusched.batch.row='5' is not a known key:"
                      + " did you mean spark.gpusched.batch.rows?"),
          app.log());
      assertFalse(app.log().contains("answer:"), app.log());
    }
  }

  /** No executor ends, or it would be started again and again. */
  @Test
  void aGpuThatIsNotThereFailsTheJobOnACluster(StandaloneCluster cluster) {
    Map<String, String> conf = Map.of("spark.gpusched.devices", "cuda:0", "spark.cores.max", "2");
    try (Application app = cluster.submit(CompareApp.class, conf, "1000")) {
      assertNotEquals(0, app.awaitEnd());
      assertTrue(
          app.log()
              .matches(
                  "(?s).*Job aborted due to stage failure.*IllegalStateException: executor [01]:"
                      + " spark.gpusched.devices=cuda:0 asks for GPUs, but .*"),
          app.log());
      // One on each Worker, and none in place of one that ended.
      assertEquals(2, app.executorLogs().size(), () -> app.executorLogs().toString());
    }
  }

  @Test
  void aGpuThatIsNotThereStopsALocalApplicationAtItsStart(StandaloneCluster cluster) {
    Map<String, String> conf =
        Map.of("spark.gpusched.devices", "host,cuda:7", "spark.master", "local[1]");
    try (Application app = cluster.submit(CompareApp.class, conf, "1000")) {
      assertNotEquals(0, app.awaitEnd());
      assertTrue(
          app.log().contains("spark.gpusched.devices=host,cuda:7 asks for GPUs, but "), app.log());
      assertFalse(app.log().contains("answer:"), app.log());
    }
  }
}
