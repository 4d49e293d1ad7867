package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.it.cluster.app.ResourcesApp;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** GPUs that Spark's Workers find by the discovery script, with a made-up nvidia-smi. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class GpuResourcesTest {
  @Test
  void tasksAreGivenTheGpusThatTheScriptFinds(StandaloneCluster cluster) {
    Map<String, String> conf =
        Map.of(
            "spark.cores.max",
            "2",
            "spark.executor.cores",
            "2",
            "spark.executor.resource.gpu.amount",
            "2",
            "spark.task.resource.gpu.amount",
            "1");
    try (Application app = cluster.submit(ResourcesApp.class, conf)) {
      assertEquals("true", app.answer("equal"));
      assertEquals("true", app.answer("batched"));
      assertEquals("[[0], [1]]", app.answer("gpus of tasks"));
      app.awaitSuccess();
    }
  }
}
