package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.BlockTimes;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.Reports;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.Work;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
  private final ApplicationLoad load =
      new ApplicationLoad(new ApplicationLoad.Limits(10, 100, 100, 100));

  private String text(String name) {
    return MetricsText.of(load.view(0, 0), "app-1", name);
  }

  private static UdfLoad udf(String name, long rows) {
    Work work = new Work(rows, 1, 0, 2_500_000_000L);
    return new UdfLoad(name, work, new BlockTimes(List.of(), 3000), Transfers.NONE, 0, 0);
  }

  @Test
  void udfsWhoseNamesDifferInOneSignAreSeriesOfTheirOwn() {
    load.update(
        ExecutorLoad.builder("1")
            .udfs(List.of(udf("a-b", 1), udf("a_b", 2), udf("a b", 3)))
            .build(),
        0);
    String text = text("x");
    String labels = "{application=\"app-1\",application_name=\"x\",udf=\"";
    assertTrue(text.contains("gpusched_udf_rows_total" + labels + "a-b\"} 1\n"), text);
    assertTrue(text.contains("gpusched_udf_rows_total" + labels + "a_b\"} 2\n"), text);
    assertTrue(text.contains("gpusched_udf_rows_total" + labels + "a b\"} 3\n"), text);
    assertTrue(text.contains("gpusched_udf_busy_seconds_total" + labels + "a b\"} 2.5\n"), text);
    assertTrue(text.contains("gpusched_udf_block_max_seconds" + labels + "a b\"} 3.0E-6\n"), text);
  }

  @Test
  void devicesOfRunningExecutorsHaveLabels() {
    load.update(Reports.full("7", 0, 0, 2), 0);
    load.update(Reports.full("8", 0, 0, 2), 0);
    load.executorEnded("8", 0);
    String text = text("x");
    assertTrue(
        text.contains(
            "gpusched_device_rows_total{application=\"app-1\",application_name=\"x\","
                + "executor=\"7\",device=\"host:1\"} 1000\n"),
        text);
    assertFalse(text.contains("executor=\"8\""), text);
    assertFalse(text.contains("stalled"), "nobody measures that");
    assertTrue(
        Pattern.compile("gpusched_application_rows_total\\{.*} 4000\n").matcher(text).find());
    assertTrue(Pattern.compile("gpusched_application_devices\\{.*} 2\n").matcher(text).find());
  }

  @Test
  void borrowedCoresHaveSeriesAndAreNoDevices() {
    List<DeviceLoad> devices =
        List.of(
            Reports.device("host:0", 50, 300),
            Reports.device("remote:0", 10, 200).toBuilder().borrowed(true).build());
    load.update(Reports.report("7", 0, 0, devices), 0);
    String text = text("x");
    assertTrue(Pattern.compile("gpusched_application_devices\\{.*} 1\n").matcher(text).find());
    assertTrue(
        Pattern.compile("gpusched_application_busy_seconds_total\\{.*} 0.3\n").matcher(text).find(),
        text);
    assertTrue(
        Pattern.compile("gpusched_device_busy_seconds_total\\{.*remote:0\"} 0.2\n")
            .matcher(text)
            .find(),
        text);
  }

  /** Prometheus sees no increase of a series whose first value is 1. */
  @Test
  void failuresOfAllUdfsAreASeriesFromTheStart() {
    String series =
        "\ngpusched_application_udf_failures_total{application=\"app-1\",application_name=\"x\"} ";
    assertTrue(text("x").contains(series + "0\n"), text("x"));
    UdfLoad one = new UdfLoad("f", Work.NONE, BlockTimes.NONE, Transfers.NONE, 0, 2);
    UdfLoad other = new UdfLoad("g", Work.NONE, BlockTimes.NONE, Transfers.NONE, 0, 1);
    load.update(ExecutorLoad.builder("1").udfs(List.of(one, other)).build(), 0);
    assertTrue(text("x").contains(series + "3\n"), text("x"));
  }

  /** What Prometheus refuses: a line that is none, a family that is there twice. */
  @Test
  void namesThatUsersChoseBreakNothing() {
    load.update(Reports.full("a\"b\\c\nd", 0, 0, 2), 0);
    Set<String> families = new HashSet<>();
    Pattern sample =
        Pattern.compile("[a-z0-9_]+\\{([a-z_]+=\"([^\"\\\\]|\\\\[\"\\\\n])*\",?)+} [0-9.E-]+");
    Stream.of(text("\"} 1\n# evil").split("\n"))
        .forEach(
            line -> {
              if (line.startsWith("# TYPE")) {
                assertTrue(families.add(line), line);
              } else if (!line.startsWith("# HELP")) {
                assertTrue(sample.matcher(line).matches(), line);
              }
            });
    assertEquals(2, text("x").split("gpusched_device_active\\{", -1).length - 1);
  }

  private void hasAllSeriesOf(String expression) {
    String text = text("x");
    Matcher name = Pattern.compile("gpusched_[a-z0-9_]+").matcher(expression);
    int found = 0;
    while (name.find()) {
      found++;
      assertTrue(text.contains("\n" + name.group() + "{"), name.group() + " is not in " + text);
    }
    assertTrue(found > 0, expression);
  }

  /** Two applications that follow each other on one port are two series, and not an error. */
  @Test
  void theDashboardAsksForSeriesThatExistOfTheApplicationsThatAreChosen() throws Exception {
    load.update(Reports.full("0", 0, 0, 2), 0);
    JsonNode dashboard =
        new ObjectMapper().readTree(Files.readString(Path.of("../conf/grafana-dashboard.json")));
    List<String> expressions = dashboard.findValuesAsText("expr");
    assertFalse(expressions.isEmpty());
    for (String expression : expressions) {
      hasAllSeriesOf(expression);
      assertFalse(expression.contains("__name__"), expression);
      assertEquals(
          expression.split("gpusched_", -1).length,
          expression.split("\\{application=~\"\\$application\"}", -1).length,
          expression);
      assertEquals(
          expression.split("gpusched_", -1).length,
          expression.split("by \\(application", -1).length,
          expression);
    }
  }

  @Test
  void alertsAskForSeriesThatExist() throws Exception {
    load.update(Reports.full("0", 0, 0, 2), 0);
    String rules = Files.readString(Path.of("../conf/prometheus-alerts.yml"));
    List<String> alerts =
        rules.lines().filter(line -> line.contains("gpusched_")).map(String::strip).toList();
    assertTrue(alerts.size() >= 4, rules);
    alerts.forEach(this::hasAllSeriesOf);
  }
}
