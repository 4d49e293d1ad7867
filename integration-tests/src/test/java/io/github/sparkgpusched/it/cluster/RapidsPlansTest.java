package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.RapidsJar.Order;
import io.github.sparkgpusched.it.cluster.app.RapidsPlansApp;
import io.github.sparkgpusched.it.cluster.app.RapidsQuery;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the RAPIDS Accelerator's own planner makes of queries beside the plugin. It makes GPU plans
 * without a GPU, as long as nothing runs: on a cluster that has a Master and no Worker.
 */
@Tag("rapids")
class RapidsPlansTest {
  private static final Map<Order, Map<RapidsQuery, RapidsPlan>> PLANS = new EnumMap<>(Order.class);

  @BeforeAll
  static void makePlans() {
    Path files = SparkHome.emptyFolder(Path.of("target", "rapids", "no-files"));
    try (StandaloneCluster cluster = StandaloneCluster.start("rapids", 0)) {
      for (Order order : Order.values()) {
        Map<String, String> conf = RapidsJar.beside(cluster.plugin(), order);
        try (Application app =
            cluster.submitBare(RapidsPlansApp.class, conf, files.toUri().toString())) {
          app.awaitSuccess();
          PLANS.put(order, RapidsPlan.printedIn(app.log()));
        }
      }
    }
  }

  private static RapidsPlan plan(RapidsQuery query) {
    return PLANS.get(Order.RAPIDS_FIRST).get(query);
  }

  @ParameterizedTest
  @EnumSource
  void theOrderOfThePluginsDoesNotMatter(RapidsQuery query) {
    assertEquals(plan(query).withoutIds(), PLANS.get(Order.OURS_FIRST).get(query).withoutIds());
  }

  /** Columns leave the GPU when rows are collected, and not before. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "SELECT",
        "NESTED",
        "FILTER",
        "AGGREGATE",
        "WINDOW",
        "CASE",
        "SORT_KEY",
        "AUTHORS_BESIDE_OURS",
        "ADAPTIVE",
        "JSON"
      })
  void callsStayOnTheGpu(RapidsQuery query) {
    assertOnGpu(plan(query));
    assertTrue(plan(query).has("GpuProject", "gpu_multiply_add("), plan(query)::text);
  }

  @ParameterizedTest
  @EnumSource(names = {"GROUP_KEY", "JOIN_KEY"})
  void keysStayOnTheGpu(RapidsQuery query) {
    assertOnGpu(plan(query));
    assertTrue(plan(query).has("GpuProject", "gpu_edits("), plan(query)::text);
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTHORS", "AUTHORS_BESIDE_OURS", "AUTHORS_DISABLED"})
  void anAuthorsOwnFormIsTheAuthors(RapidsQuery query) {
    assertOnGpu(plan(query));
    assertTrue(plan(query).has("GpuProject", "gpu_columnar_inc("), plan(query)::text);
  }

  private static void assertOnGpu(RapidsPlan plan) {
    assertEquals(List.of("GpuColumnarToRow"), plan.transitions(), plan::text);
    assertTrue(plan.nodes().stream().allMatch(node -> node.startsWith("Gpu")), plan::text);
    assertFalse(plan.has("GpuCpuBridge"), plan::text);
  }

  /** Whose one row is collected, too. */
  @Test
  void callsOfASubqueryStayOnTheGpu() {
    RapidsPlan plan = plan(RapidsQuery.SUBQUERY);
    assertEquals(List.of("GpuColumnarToRow", "GpuColumnarToRow"), plan.transitions(), plan::text);
    assertTrue(plan.has("GpuProject", "gpu_multiply_add("), plan::text);
  }

  @Test
  void equalRowsAreStillShuffledOnce() {
    RapidsPlan plan = plan(RapidsQuery.TWICE);
    assertEquals(List.of("GpuColumnarToRow"), plan.transitions(), plan::text);
    assertTrue(plan.has("GpuProject", "gpu_multiply_add("), plan::text);
    assertTrue(plan.nodes().contains("ReusedExchange"), plan::text);
  }

  /** The one is batched on the host; the other stays on the GPU, as what is around both. */
  @Test
  void aCallWithoutACudaFunctionIsBatched() {
    RapidsPlan plan = plan(RapidsQuery.MIXED);
    assertTrue(plan.has("BatchedUdfs", "[host_only("), plan::text);
    assertTrue(plan.has("GpuProject", "gpu_multiply_add("), plan::text);
    assertEquals(
        List.of("GpuColumnarToRow", "HostColumnarToGpu", "GpuBringBackToHost"),
        plan.transitions(),
        plan::text);
  }

  @Test
  void theKeyLeavesCallsToThePlugin() {
    assertBatched(plan(RapidsQuery.OFF));
    assertTrue(plan(RapidsQuery.OFF).nodes().contains("GpuFileGpuScan"));
  }

  /** Neither plugin takes the call: what RAPIDS makes of it is what it makes of any UDF. */
  @Test
  void aDisabledPluginPlansNothing() {
    RapidsPlan plan = plan(RapidsQuery.DISABLED);
    assertFalse(plan.has("BatchedUdfs"), plan::text);
    assertFalse(plan.has("gpu_multiply_add("), plan::text);
  }

  @Test
  void whereRapidsIsDisabledCallsAreBatched() {
    RapidsPlan plan = plan(RapidsQuery.RAPIDS_DISABLED);
    assertBatched(plan);
    assertFalse(plan.nodes().stream().anyMatch(node -> node.startsWith("Gpu")), plan::text);
  }

  /** It takes the rows to the GPU, as it does for any projection. */
  @Test
  void rapidsTakesCallsOverRowsToo() {
    RapidsPlan plan = plan(RapidsQuery.ROWS);
    assertEquals(List.of("GpuColumnarToRow", "GpuRowToColumnar"), plan.transitions(), plan::text);
    assertTrue(plan.has("GpuProject", "gpu_multiply_add("), plan::text);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "NO_PROJECT",
        "NO_PROJECT_NESTED",
        "NO_PROJECT_FILTER",
        "NO_PROJECT_CASE",
        "NO_PROJECT_MIXED",
        "NO_PROJECT_ADAPTIVE",
        "COLUMN_TYPE",
        "NO_CALL"
      })
  void whatRapidsDeclinesIsBatched(RapidsQuery query) {
    assertBatched(plan(query));
  }

  /** The branch's condition goes with the call. */
  @Test
  void aGuardIsKept() {
    RapidsPlan plan = plan(RapidsQuery.NO_PROJECT_CASE);
    assertTrue(plan.has("BatchedUdfs", " if _gpusched_in"), plan::text);
  }

  private static void assertBatched(RapidsPlan plan) {
    assertTrue(plan.has("BatchedUdfs", "multiply_add("), plan::text);
    assertFalse(plan.has("gpu_multiply_add("), plan::text);
    assertFalse(plan.has("GpuCpuBridge"), plan::text);
  }

  @Test
  void theReasonIsTold() {
    assertExplained("spark.rapids.sql.exec.ProjectExec", plan(RapidsQuery.NO_PROJECT));
    assertExplained("TimestampNTZType", plan(RapidsQuery.COLUMN_TYPE));
  }

  private static void assertExplained(String reason, RapidsPlan plan) {
    assertTrue(
        plan.explanation()
            .lines()
            .anyMatch(line -> line.contains("'multiply_add'") && line.contains(reason)),
        () -> plan.explanation() + plan);
  }
}
