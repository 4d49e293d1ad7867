package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The RAPIDS Accelerator, which the profile {@code rapids} fetches. */
final class RapidsJar {
  private static final String OURS = "io.github.sparkgpusched.GpuSchedPlugin";
  private static final String RAPIDS = "com.nvidia.spark.SQLPlugin";

  /** The order in which a user names both plugins. */
  enum Order {
    OURS_FIRST(OURS + "," + RAPIDS),
    RAPIDS_FIRST(RAPIDS + "," + OURS);

    private final String plugins;

    Order(String plugins) {
      this.plugins = plugins;
    }
  }

  private RapidsJar() {}

  /** Settings of an application with both plugins, in the order of {@code spark.plugins}. */
  static Map<String, String> beside(Path plugin, Order order) {
    Path jar = Path.of("target", "rapids", "rapids.jar").toAbsolutePath();
    assumeTrue(Files.exists(jar), () -> jar + " is not there: build with -Prapids");
    Map<String, String> conf = new LinkedHashMap<>();
    // Both by the same way: a class of ours may implement an interface of RAPIDS.
    conf.put("spark.jars", plugin + "," + jar);
    conf.put("spark.plugins", order.plugins);
    conf.put("spark.sql.adaptive.enabled", "false");
    conf.put("spark.gpusched.explain", "all");
    return conf;
  }
}
