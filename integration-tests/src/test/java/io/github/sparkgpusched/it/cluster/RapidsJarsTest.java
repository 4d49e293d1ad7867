package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.RapidsJar.Order;
import io.github.sparkgpusched.it.cluster.app.RapidsJarsApp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where the jars of the plugin and of RAPIDS may lie: the plan is made in any case, and the log has
 * at most one line.
 */
@Tag("rapids")
class RapidsJarsTest {
  private static final String NOT_SEEN =
      "The RAPIDS Accelerator is given no UDFs, as the plugin does not see its classes";

  private final Path files = SparkHome.emptyFolder(Path.of("target", "rapids", "no-files"));

  private static List<String> ofOurs(String log) {
    return log.lines()
        .filter(line -> line.contains(" Rapids: ") || line.contains("at io.github.sparkgpusched"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bothInJars(boolean oursFirst) {
    try (StandaloneCluster cluster = StandaloneCluster.start("rapids-jars", 0)) {
      Map<String, String> conf = RapidsJar.beside(cluster.plugin(), Order.OURS_FIRST);
      String[] jars = conf.get("spark.jars").split(",", -1);
      conf.put("spark.jars", oursFirst ? jars[0] + "," + jars[1] : jars[1] + "," + jars[0]);
      try (Application app =
          cluster.submitBare(RapidsJarsApp.class, conf, files.toUri().toString())) {
        app.awaitSuccess();
        assertTrue(app.answer("plan1").contains("gpu_multiply_add("), app::log);
        assertEquals(List.of(), ofOurs(app.log()), app::log);
      }
    }
  }

  /**
   * The plugin's class loader is then the parent of that of RAPIDS, and sees none of its classes.
   */
  @Test
  void oursOnTheClassPathAndTheirsInJars() {
    try (StandaloneCluster cluster = StandaloneCluster.start("rapids-jars", 0)) {
      Map<String, String> conf = RapidsJar.beside(cluster.plugin(), Order.OURS_FIRST);
      conf.put("spark.jars", conf.get("spark.jars").split(",", -1)[1]);
      try (Application app =
          cluster.submitDriverOnly(RapidsJarsApp.class, conf, files.toUri().toString())) {
        app.awaitSuccess();
        assertTrue(app.answer("plan1").contains("BatchedUdfs [multiply_add("), app::log);
        assertFalse(app.answer("plan1").contains("gpu_multiply_add("), app::log);
        assertEquals(1, ofOurs(app.log()).size(), app::log);
        assertTrue(ofOurs(app.log()).get(0).contains(NOT_SEEN), app::log);
      }
    }
  }

  /** Keys of RAPIDS' that a configuration has kept. */
  @Test
  void theirsAbsent() {
    try (StandaloneCluster cluster = StandaloneCluster.start("rapids-jars", 0)) {
      Map<String, String> conf =
          Map.of("spark.rapids.sql.enabled", "true", "spark.rapids.sql.mode", "executeongpu");
      try (Application app = cluster.submit(RapidsJarsApp.class, conf, files.toUri().toString())) {
        app.awaitSuccess();
        assertTrue(app.answer("plan1").contains("BatchedUdfs [multiply_add("), app::log);
        assertEquals(List.of(), ofOurs(app.log()), app::log);
      }
    }
  }
}
