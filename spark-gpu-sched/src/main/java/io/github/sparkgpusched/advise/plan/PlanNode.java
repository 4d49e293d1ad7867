package io.github.sparkgpusched.advise.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of a physical plan.
 *
 * @param text its operator and what it is given, as Spark prints it; cut where it is long
 */
public record PlanNode(String name, String text, List<PlanNode> children, List<Metric> metrics) {
  /** Deeper plans are cut, lest a thread's stack be too small: a log may hold anything. */
  public static final int MOST_DEPTH = 1_000;

  /** Of a text, in characters. */
  static final int MOST_TEXT = 256 << 10;

  /** A metric, whose values tasks report by its accumulator. */
  public record Metric(String name, long accumulator) {}

  /** Of a {@code sparkPlanInfo}. */
  public static PlanNode of(JsonNode json) {
    return of(json, 0);
  }

  private static PlanNode of(JsonNode json, int depth) {
    List<PlanNode> children = new ArrayList<>();
    if (depth < MOST_DEPTH) {
      for (JsonNode child : json.path("children")) {
        children.add(of(child, depth + 1));
      }
    }
    List<Metric> metrics = new ArrayList<>();
    for (JsonNode metric : json.path("metrics")) {
      metrics.add(
          new Metric(metric.path("name").asText(), metric.path("accumulatorId").asLong(-1)));
    }
    String name = json.path("nodeName").asText().trim();
    String text = json.path("simpleString").asText();
    return new PlanNode(
        name, text.substring(0, Math.min(MOST_TEXT, text.length())), children, metrics);
  }

  /** Whether a part of its text is missing: Spark has left it out, or it is too long. */
  boolean isCut() {
    return text.length() >= MOST_TEXT || Expressions.isCut(text);
  }

  boolean isAggregate() {
    return name.endsWith("Aggregate") && !isPython();
  }

  boolean isPython() {
    return name.contains("Python") || name.contains("Pandas") || name.contains("InArrow");
  }

  /** Its tasks are others than those of its children. */
  boolean endsStage() {
    return name.contains("Exchange")
        || name.contains("QueryStage")
        || name.startsWith("Subquery")
        || name.startsWith("ReusedSubquery")
        || name.equals("InMemoryTableScan");
  }

  /** What it prints is no expression that it evaluates. */
  boolean evaluatesNothing() {
    return name.contains("Scan")
        || name.contains("Subquery")
        || name.equals("BroadcastExchange")
        || name.contains("QueryStage")
        || name.startsWith("Execute ")
        || name.startsWith("Reused")
        || name.startsWith("Range")
        || name.startsWith("WriteFiles")
        || name.startsWith("Aqe")
        || name.startsWith("AQE")
        || name.startsWith("CollectLimit")
        || name.startsWith("AdaptiveSparkPlan")
        || name.startsWith("SerializeFromObject")
        || name.startsWith("DeserializeToObject");
  }
}
