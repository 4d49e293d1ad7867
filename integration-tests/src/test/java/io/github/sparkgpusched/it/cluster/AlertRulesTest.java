package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** When the alert rules fire, and when they do not, by Prometheus's own tool for that. */
class AlertRulesTest {
  @Test
  void firesWhereItShouldAndNowhereElse() throws Exception {
    Path promtool = Prometheus.require().resolveSibling("promtool");
    Process test =
        new ProcessBuilder(
                promtool.toString(),
                "test",
                "rules",
                "src/test/resources/prometheus-alerts-test.yml")
            .redirectErrorStream(true)
            .start();
    String output = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, test.waitFor(), output);
  }
}
