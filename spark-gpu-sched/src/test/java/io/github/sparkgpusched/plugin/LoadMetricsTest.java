package io.github.sparkgpusched.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.BlockTimes;
import io.github.sparkgpusched.load.DeviceMeasures;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.load.Measure;
import io.github.sparkgpusched.load.Reports;
import io.github.sparkgpusched.load.UdfLoad;
import io.github.sparkgpusched.load.UdfMeasures;
import io.github.sparkgpusched.load.Work;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LoadMetricsTest {
  private final ApplicationLoad load =
      new ApplicationLoad(new ApplicationLoad.Limits(0, 100, 100, 100));
  private final MetricRegistry plugin = new MetricRegistry();
  private final LoadMetrics metrics = LoadMetrics.ofApplication(plugin, load);

  /** As Spark has it: the plugin's registry was put into this one before executors came. */
  private final MetricRegistry spark = new MetricRegistry();

  LoadMetricsTest() {
    LoadMetrics.ofQuestions(plugin, () -> 42);
    spark.register("app-1.driver.plugin.io.github.sparkgpusched.GpuSchedPlugin", plugin);
  }

  private void report(ExecutorLoad report) {
    load.update(report, 0);
    metrics.reported(report);
  }

  private Object value(String name) {
    return spark
        .getGauges()
        .get("app-1.driver.plugin.io.github.sparkgpusched.GpuSchedPlugin.gpusched." + name)
        .getValue();
  }

  @Test
  void devicesAndUdfsThatComeLaterGetMetricsToo() {
    report(Reports.full("7", 0, 0, 2));
    assertEquals(2000L, value("application.rows"));
    assertEquals(10L, value("application.wastedRows"));
    assertEquals(1000L, value("device.7.host_1.rows"));
    assertEquals(2000L, value("udf.f.rows"));
    assertEquals(1L, value("device.7.host_1.active"));
  }

  @Test
  void anExecutorThatEndsTakesItsMetricsAlong() {
    report(Reports.full("7", 0, 0, 2));
    int before = spark.getNames().size();
    report(Reports.full("8", 0, 0, 2));
    load.executorEnded("8", 0);
    metrics.executorEnded("8");
    assertEquals(before, spark.getNames().size());
    assertEquals(4000L, value("application.rows"));
  }

  @Test
  void theirNumberIsBounded() {
    List<UdfLoad> udfs = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      udfs.add(new UdfLoad("f" + i, new Work(1, 1, 0, 1), BlockTimes.NONE, Transfers.NONE, 0, 0));
    }
    report(
        ExecutorLoad.builder("x")
            .devices(List.of(Reports.device("host:0", 1, 1)))
            .udfs(udfs)
            .build());
    for (int i = 0; i < 500; i++) {
      report(Reports.full("" + i, 0, 0, 8));
    }
    int most =
        LoadMetrics.MOST_DEVICES * (DeviceMeasures.ALL.size() + 1)
            + LoadMetrics.MOST_UDFS * 11
            + 20;
    assertTrue(spark.getNames().size() <= most, spark.getNames().size() + " metrics");
    assertEquals(500L * 8 + 1, value("application.devices"));
  }

  @Test
  void twoUdfsWithNearlyTheSameNameDoNotFail() {
    List<UdfLoad> udfs =
        List.of(
            new UdfLoad("f.g", new Work(1, 1, 0, 1), BlockTimes.NONE, Transfers.NONE, 0, 0),
            new UdfLoad("f g", new Work(2, 1, 0, 1), BlockTimes.NONE, Transfers.NONE, 0, 0));
    report(ExecutorLoad.builder("x").udfs(udfs).build());
    assertEquals(1L, value("udf.f_g.rows"));
  }

  @Test
  void anExecutorHasItsDevices() {
    LoadTable table = LoadTable.ofNames(List.of("host:0", "host:1"));
    MetricRegistry registry = new MetricRegistry();
    new ExecutorMetrics(registry, table);
    table.entry(1).beginBlock(0);
    table.entry(1).endBlock(5, 0, 1, false, null);
    assertEquals(5L, registry.getGauges().get("gpusched.executor.host_1.rows").getValue());
  }

  /** A kind of device may have nothing to tell at its start. */
  @Test
  void whatADeviceMeasuresLaterGetsItsGaugeThen() {
    DeviceLoad before = Reports.device("pipe:0", 5, 0);
    DeviceLoad after = before.toBuilder().usedBytes(40L).stalledNanos(3_000_000L).build();
    report(Reports.report("7", 0, 0, List.of(before)));
    assertFalse(spark.getGauges().keySet().stream().anyMatch(name -> name.endsWith("Bytes")));
    report(Reports.report("7", 1, 0, List.of(after)));
    assertEquals(40L, value("device.7.pipe_0.usedBytes"));
    assertEquals(3L, value("device.7.pipe_0.stalledMillis"));
    LoadTable table = LoadTable.ofNames(List.of("pipe:0"));
    MetricRegistry registry = new MetricRegistry();
    ExecutorMetrics executor = new ExecutorMetrics(registry, table);
    table.entry(0).setMemory(60, 40);
    executor.reported(table.report("7", 0));
    assertEquals(60L, registry.getGauges().get("gpusched.executor.pipe_0.freeBytes").getValue());
    load.executorEnded("7", 0);
    metrics.executorEnded("7");
    assertFalse(spark.getNames().stream().anyMatch(name -> name.contains("pipe")));
  }

  private static UdfLoad udf(String name, long blocks) {
    return new UdfLoad(
        name,
        new Work(10 * blocks, blocks, 0, 5 * blocks),
        new BlockTimes(List.of(0L, 0L, blocks - 1, 1L), 40),
        Transfers.NONE,
        0,
        0);
  }

  private static void hasTimes(Timer timer, long blocks) {
    assertEquals(blocks, timer.getCount());
    assertEquals(3, timer.getSnapshot().getMin());
    assertEquals(3, timer.getSnapshot().getMedian());
    assertEquals(40, timer.getSnapshot().getMax());
    assertEquals(5, timer.getSnapshot().getMean());
    assertTrue(timer.getMeanRate() > 0);
    assertTrue(timer.getSnapshot().getStdDev() > 0);
  }

  /** Rows that tasks computed in place took time, and are in no block. */
  @Test
  void rowsInPlaceMakeNoBlockLonger() {
    UdfLoad mixed =
        new UdfLoad(
            "f",
            new Work(1000, 50, 0, 60_000_000),
            new BlockTimes(List.of(0L, 0L, 49L, 1L), 40),
            Transfers.NONE,
            900,
            0);
    assertEquals(2.5, new BlockTimesSnapshot(mixed).getMean(), 0.5);
  }

  @Test
  void theBlocksOfAUdfAreATimerOnDriverAndExecutors() {
    ExecutorLoad report = ExecutorLoad.builder("7").udfs(List.of(udf("f.g", 50))).build();
    report(report);
    String name =
        "app-1.driver.plugin.io.github.sparkgpusched.GpuSchedPlugin.gpusched.udf.f_g.blockTime";
    hasTimes(spark.getTimers().get(name), 50);
    MetricRegistry registry = new MetricRegistry();
    ExecutorMetrics executor = new ExecutorMetrics(registry, LoadTable.ofNames(List.of("host:0")));
    executor.reported(report);
    Timer timer = registry.getTimers().get("gpusched.executor.udf.f_g.blockTime");
    hasTimes(timer, 50);
    executor.reported(
        ExecutorLoad.builder("7").sequence(1).udfs(List.of(udf("f.g", 90), udf("f g", 2))).build());
    hasTimes(timer, 90);
    assertEquals(1, registry.getTimers().size(), "the first of two with the same name has it");
    assertThrows(UnsupportedOperationException.class, () -> timer.update(1, TimeUnit.SECONDS));
  }

  /** As Spark's PrometheusServlet writes them. */
  private Set<String> prometheusNames() {
    Set<String> names = new TreeSet<>();
    spark
        .getGauges()
        .keySet()
        .forEach(name -> names.add("metrics_" + name.replaceAll("[^a-zA-Z0-9]", "_") + "_Value"));
    spark
        .getTimers()
        .keySet()
        .forEach(name -> names.add("metrics_" + name.replaceAll("[^a-zA-Z0-9]", "_") + "_Count"));
    return names;
  }

  /** The names that docs/monitoring.md tells, whichever figure is put in. */
  @Test
  void theDocsNameMetricsThatExist() throws Exception {
    report(Reports.full("0", 0, 0, 2));
    Set<String> names = prometheusNames();
    Matcher told =
        Pattern.compile("`(gpusched_(application|device|udf)_\\w+)`")
            .matcher(Files.readString(Path.of("../docs/monitoring.md")));
    int found = 0;
    while (told.find()) {
      found++;
      for (Measure<?> measure :
          told.group(2).equals("udf") ? UdfMeasures.ALL : DeviceMeasures.ALL) {
        boolean summed = measure.growsOnly() && !measure.nullable();
        if (told.group(2).equals("application") ? summed : !measure.nullable()) {
          String name =
              told.group(1)
                  .replace("EXECUTOR_DEVICE", "0_host_1")
                  .replace("UDF", "f")
                  .replace("FIGURE", measure.name());
          assertTrue(names.stream().anyMatch(n -> n.endsWith("_" + name)), name);
        }
      }
    }
    assertEquals(9, found);
  }

  /** Spark makes an object of the class, and serves it under the path that the docs name. */
  @Test
  void theTemplateNamesASinkThatSparkHas() throws Exception {
    Properties template = new Properties();
    template.load(
        new StringReader(Files.readString(Path.of("../conf/metrics.properties.template"))));
    assertEquals(2, template.size());
    Class.forName(template.getProperty("*.sink.prometheusServlet.class"));
    String path = template.getProperty("*.sink.prometheusServlet.path");
    assertTrue(Files.readString(Path.of("../docs/monitoring.md")).contains(":4040" + path + "/`"));
  }

  @Test
  void aBorrowedCoreHasMetricsFromItsFirstBlockOnItsExecutorAndIsInTheSumsOfTheDriver() {
    LoadEntry borrowed = new LoadEntry("remote:0", 2, true);
    LoadTable table = new LoadTable(List.of(new LoadEntry("host:0", 1), borrowed));
    MetricRegistry registry = new MetricRegistry();
    ExecutorMetrics executor = new ExecutorMetrics(registry, table);
    ExecutorLoad before = table.report("7", 0);
    report(before);
    executor.reported(before);
    assertTrue(registry.getGauges().containsKey("gpusched.executor.host_0.rows"));
    assertFalse(registry.getGauges().containsKey("gpusched.executor.remote_0.rows"));
    borrowed.beginBlock(0);
    borrowed.endBlock(9, 0, 100, false, null);
    ExecutorLoad after = table.report("7", 1);
    report(after);
    executor.reported(after);
    assertEquals(9L, registry.getGauges().get("gpusched.executor.remote_0.rows").getValue());
    assertFalse(spark.getNames().stream().anyMatch(name -> name.contains("remote_0")));
    assertEquals(9L, value("application.borrowedRows"));
  }

  @Test
  void borrowedCoresAreNoDevicesAndTheirTimeIsTheLenders() {
    List<DeviceLoad> devices = new ArrayList<>(List.of(Reports.device("host:0", 50, 300)));
    for (int i = 0; i < LoadMetrics.MOST_DEVICES; i++) {
      devices.add(Reports.device("remote:" + i, 10, 200).toBuilder().borrowed(true).build());
    }
    report(Reports.report("7", 0, 0, devices));
    DeviceLoad lender =
        Reports.device("host:0", 0, 200).toBuilder().lentRows(10L).lentNanos(200L).build();
    report(Reports.report("8", 0, 0, List.of(lender)));
    assertEquals(2L, value("application.devices"));
    assertEquals(500L, value("application.busyMillis"));
    assertEquals(2000L, value("application.idleMillis"));
    assertEquals(50L + 10 * LoadMetrics.MOST_DEVICES, value("application.rows"));
    assertEquals(10L * LoadMetrics.MOST_DEVICES, value("application.borrowedRows"));
    assertEquals(0L, value("device.8.host_0.rows"), "it has its place");
    assertEquals(10L, value("device.8.host_0.lentRows"));
  }

  /** Spark's registry has thousands of them, and each list of them is a sorted copy. */
  @Test
  void noListOfAllMetricsIsMadeForEachThatIsRegistered() {
    MetricRegistry registry =
        new MetricRegistry() {
          @Override
          @SuppressWarnings("rawtypes") // as it is declared
          public SortedMap<String, Gauge> getGauges() {
            throw new AssertionError("all gauges");
          }

          @Override
          public SortedMap<String, Timer> getTimers() {
            throw new AssertionError("all timers");
          }
        };
    LoadMetrics.ofApplication(registry, load).reported(Reports.full("7", 0, 0, 2));
    new ExecutorMetrics(registry, LoadTable.ofNames(List.of("host:0")))
        .reported(Reports.full("7", 0, 0, 1));
    assertTrue(registry.getNames().contains("gpusched.executor.udf.f.blockTime"));
  }

  @Test
  void questionsOfExecutorsAreAMetricOfTheApplication() {
    assertEquals(42L, value("application.questions"));
  }
}
