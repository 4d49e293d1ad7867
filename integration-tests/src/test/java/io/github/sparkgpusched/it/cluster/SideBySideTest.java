package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.CompareApp;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two applications at once, with other settings, on the same Workers. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class SideBySideTest {
  @Test
  void twoApplicationsDoNotDisturbEachOther(StandaloneCluster cluster) {
    try (Application one =
            cluster.submit(
                CompareApp.class,
                Map.of("spark.cores.max", "2", "spark.gpusched.host.devices", "4"),
                "200000");
        Application other =
            cluster.submit(
                CompareApp.class,
                Map.of("spark.cores.max", "2", "spark.gpusched.batch.rows", "100"),
                "100000")) {
      assertEquals("true", one.answer("equal"));
      assertEquals("true", other.answer("equal"));
      one.awaitSuccess();
      other.awaitSuccess();
      assertNotEquals(one.id(), other.id());
      one.executorLogs().values().forEach(log -> assertTrue(log.contains("with 4 host devices")));
      other.executorLogs().values().forEach(log -> assertTrue(log.contains("with 1 host devices")));
    }
  }
}
