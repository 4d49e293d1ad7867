package io.github.sparkgpusched.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.Strategies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuSchedConfigTest {
  @Test
  void hasTheDefaults() {
    GpuSchedConfig config = GpuSchedConfig.from(Map.of());
    assertEquals(true, config.get(QueryKeys.ENABLED));
    assertEquals(ExplainMode.NOT_BATCHED, config.get(QueryKeys.EXPLAIN));
    assertEquals(16384, config.get(QueryKeys.BATCH_ROWS));
    assertEquals(64L << 20, config.get(QueryKeys.BATCH_BYTES));
    assertEquals(100L, config.get(StrategyKeys.BLOCK_TARGET_MICROS));
    assertEquals(0, config.get(DeviceKeys.HOST_DEVICES));
  }

  @Test
  void readsWhatIsSet() {
    GpuSchedConfig config =
        GpuSchedConfig.from(
            Map.of("spark.gpusched.batch.bytes", "1g", "spark.gpusched.explain", "all"));
    assertEquals(1L << 30, config.get(QueryKeys.BATCH_BYTES));
    assertEquals(ExplainMode.ALL, config.get(QueryKeys.EXPLAIN));
    assertEquals(16384, config.get(QueryKeys.BATCH_ROWS));
  }

  @Test
  void doesNotSeeLaterChanges() {
    Map<String, String> settings = new HashMap<>();
    GpuSchedConfig config = GpuSchedConfig.from(settings::get);
    settings.put("spark.gpusched.enabled", "false");
    assertEquals(true, config.get(QueryKeys.ENABLED));
  }

  @Test
  void refusesAWrongValueWhenRead() {
    Map<String, String> settings = Map.of("spark.gpusched.batch.rows", "many");
    assertEquals(
        "spark.gpusched.batch.rows='many' is not allowed: give a whole number from 1 to 16777216",
        messageOf(() -> GpuSchedConfig.from(settings)));
  }

  @Test
  void validatesAllowedValuesAndOtherKeys() {
    assertDoesNotThrow(
        () ->
            GpuSchedConfig.validate(
                Map.of(
                    "spark.gpusched.batch.rows", "1024",
                    "spark.gpusched.host.devices", "2",
                    "spark.gpuscheduler", "another's",
                    "spark.master", "local[2]")));
  }

  @ParameterizedTest
  @CsvSource({
    "spark.gpusched.batch.row, spark.gpusched.batch.rows",
    "spark.gpusched.batchRows, spark.gpusched.batch.rows",
    "spark.gpusched.BATCH.BYTES, spark.gpusched.batch.bytes",
    "spark.gpusched.enable, spark.gpusched.enabled",
    "spark.gpusched.block.targetMillis, spark.gpusched.block.targetMicros",
    "spark.gpusched.host.device, spark.gpusched.host.devices",
    "spark.gpusched.block.stealTreshold, spark.gpusched.cuda.block.stealThreshold",
    "spark.gpusched.cuda.block.neighbors, spark.gpusched.cuda.block.neighbours",
    "spark.gpusched, spark.gpusched.enabled"
  })
  void namesTheNearestKeyOfAnUnknownOne(String given, String meant) {
    assertEquals(
        given + "='7' is not a known key: did you mean " + meant + "?",
        messageOf(() -> GpuSchedConfig.validate(Map.of(given, "7"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "strategy",
        "stealThreshold",
        "shareThreshold",
        "maxStealBatch",
        "neighbours",
        "pollNanos",
        "queueCapacity"
      })
  void namesTheNewKeyOfARenamedOne(String name) {
    assertEquals(
        "spark.gpusched.block."
            + name
            + "='4' is not a key any more: its name is now spark.gpusched.cuda.block."
            + name,
        messageOf(() -> GpuSchedConfig.validate(Map.of("spark.gpusched.block." + name, "4"))));
  }

  @ParameterizedTest
  @CsvSource({
    "strategy.treeMaxStepRows, the trees that it was for are only in the benchmarks now",
    "strategy.dequeGrainRows, 'worksteal-deque, which it was for, is only in the benchmarks now'"
  })
  void saysWhyAKeyIsGone(String name, String why) {
    assertEquals(
        "spark.gpusched." + name + "='4' is not a key any more: " + why,
        messageOf(() -> GpuSchedConfig.validate(Map.of("spark.gpusched." + name, "4"))));
  }

  @ParameterizedTest
  @CsvSource({
    "guided, 'that was a rival for comparison, which only the benchmarks have now'",
    "Tree-Random, 'that was a rival for comparison, which only the benchmarks have now'",
    "tree-timed, it is called tree now"
  })
  void saysWhatBecameOfAStrategy(String name, String what) {
    assertEquals(
        "spark.gpusched.strategy='"
            + name
            + "' is not allowed: give one of adaptive, static, fixed, tree; "
            + what,
        messageOf(() -> GpuSchedConfig.validate(Map.of(StrategyKeys.STRATEGY.key(), name))));
  }

  @Test
  void tellsTheFirstOfSeveralErrors() {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.gpusched.host.devices", "none");
    settings.put("spark.gpusched.block.targetMicros", "soon");
    settings.put("spark.gpusched.explain", "loudly");
    assertTrue(
        messageOf(() -> GpuSchedConfig.validate(settings))
            .startsWith("spark.gpusched.block.targetMicros='soon' "));
  }

  @Test
  void strategiesAreThoseThatThereAre() {
    assertEquals(
        "one of " + String.join(", ", Strategies.names()), StrategyKeys.STRATEGY.allowed());
  }

  @Test
  void listsEveryEntryOnceAndInOrder() {
    assertEquals(
        List.of(
            "spark.gpusched.enabled",
            "spark.gpusched.batching",
            "spark.gpusched.explain",
            "spark.gpusched.batch.rows",
            "spark.gpusched.batch.bytes",
            "spark.gpusched.rapids",
            "spark.gpusched.priority",
            "spark.gpusched.block.targetMicros",
            "spark.gpusched.strategy",
            "spark.gpusched.strategy.fixedRows",
            "spark.gpusched.devices",
            "spark.gpusched.devices.resource",
            "spark.gpusched.host.devices",
            "spark.gpusched.hostFallback",
            "spark.gpusched.placement",
            "spark.gpusched.device.timeoutMillis",
            "spark.gpusched.remote",
            "spark.gpusched.remote.cores",
            "spark.gpusched.remote.blockBytes",
            "spark.gpusched.remote.lentPercent",
            "spark.gpusched.cuda.pipeline",
            "spark.gpusched.cuda.pinnedBytes",
            "spark.gpusched.cuda.resident.blocks",
            "spark.gpusched.cuda.resident.jobBytes",
            "spark.gpusched.cuda.cluster",
            "spark.gpusched.cuda.stringBytes",
            "spark.gpusched.cuda.nvrtcPath",
            "spark.gpusched.cuda.cacheDir",
            "spark.gpusched.cuda.block.strategy",
            "spark.gpusched.cuda.block.form",
            "spark.gpusched.cuda.block.stealThreshold",
            "spark.gpusched.cuda.block.shareThreshold",
            "spark.gpusched.cuda.block.maxStealBatch",
            "spark.gpusched.cuda.block.neighbours",
            "spark.gpusched.cuda.block.pollNanos",
            "spark.gpusched.cuda.block.queueCapacity",
            "spark.gpusched.ui.enabled",
            "spark.gpusched.ui.retainedEndedExecutors",
            "spark.gpusched.ui.retainedSpans",
            "spark.gpusched.ui.retainedStages",
            "spark.gpusched.ui.retainedEvents"),
        GpuSchedConfig.entries().stream().map(ConfigEntry::key).toList());
  }

  private static String messageOf(Runnable action) {
    return assertThrows(IllegalArgumentException.class, action::run).getMessage();
  }

  @Test
  void blocksOfThreadsShareAboveWhereTheySteal() {
    GpuSchedConfig.validate(Map.of("spark.gpusched.cuda.block.stealThreshold", "63"));
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                GpuSchedConfig.validate(Map.of("spark.gpusched.cuda.block.stealThreshold", "64")));
    assertEquals(
        "spark.gpusched.cuda.block.shareThreshold='64' is not allowed: it must be above"
            + " spark.gpusched.cuda.block.stealThreshold, which is 64",
        error.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> GpuSchedConfig.validate(Map.of("spark.gpusched.cuda.block.queueCapacity", "48")));
    assertThrows(
        IllegalArgumentException.class,
        () -> GpuSchedConfig.validate(Map.of("spark.gpusched.devices", "gpu0")));
  }
}
