package io.github.sparkgpusched.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RapidsPluginTest {
  private static final String OURS = "io.github.sparkgpusched.GpuSchedPlugin";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "com.nvidia.spark.SQLPlugin | | | true | true | true",
        "com.nvidia.spark.SQLPlugin | TRUE | executeOnGPU | true | true | true",
        "com.nvidia.spark.SQLPlugin | true | explainonly | true | false | false",
        "com.nvidia.spark.SQLPlugin | false | executeongpu | false | false | true",
        "com.nvidia.spark.SQLPlugin | false | explainonly | false | false | false",
        "com.nvidia.spark.SQLPlugins | | | false | false | false"
      })
  void plansAndExecutes(
      String plugin, String enabled, String mode, boolean plans, boolean executes, boolean owns) {
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.plugins", OURS + ", " + plugin);
    conf.put("spark.rapids.sql.enabled", enabled);
    conf.put("spark.rapids.sql.mode", mode);
    conf.values().removeIf(value -> value == null);
    assertEquals(plans, RapidsPlugin.plans(conf::getOrDefault));
    assertEquals(executes, RapidsPlugin.executes(conf::getOrDefault));
    assertEquals(owns, RapidsPlugin.ownsGpu(conf::getOrDefault));
  }
}
