package io.github.sparkgpusched.advise.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A part of a plan whose nodes run in the same tasks: what is between two exchanges. A stage that
 * reports values of a segment's metrics runs it.
 */
public final class Segment {
  private static final String ROWS = "number of output rows";

  private final Set<Call> calls = new LinkedHashSet<>();
  private final Set<Long> accumulators = new HashSet<>();
  private final Set<Long> inputRows = new HashSet<>();
  private boolean isCut;
  private boolean hasUntimedScan;
  private boolean hasWideArguments;

  private Segment() {}

  /** All segments of a plan. */
  public static List<Segment> of(PlanNode plan) {
    List<Segment> all = new ArrayList<>();
    Segment first = new Segment();
    all.add(first);
    first.add(plan, all, WideColumns.of(plan));
    all.removeIf(segment -> segment.accumulators.isEmpty());
    return all;
  }

  private void add(PlanNode node, List<Segment> all, Set<Long> wide) {
    Segment below = this;
    if (node.endsStage()) {
      below = new Segment();
      all.add(below);
      below.addCalls(node, wide); // rows are partitioned by who sends them
    } else {
      addCalls(node, wide);
      node.metrics().forEach(metric -> accumulators.add(metric.accumulator()));
      isCut |= node.isCut();
      hasUntimedScan |= isUntimedScan(node);
    }
    for (PlanNode child : node.children()) {
      below.add(child, all, wide);
    }
  }

  private void addCalls(PlanNode node, Set<Long> wide) {
    List<Call> found = Calls.of(node);
    if (found.isEmpty()) {
      return;
    }
    calls.addAll(found);
    hasWideArguments |= Calls.areGiven(node, found, wide);
    if (!node.name().contains("Join")) {
      rowsBelow(node);
    }
  }

  /** The number of rows that a node is given is that of the nearest one below that counts. */
  private void rowsBelow(PlanNode node) {
    for (PlanNode child : node.children()) {
      PlanNode at = child;
      while (at != null && !at.endsStage()) {
        for (PlanNode.Metric metric : at.metrics()) {
          if (metric.name().equals(ROWS)) {
            inputRows.add(metric.accumulator());
            return;
          }
        }
        at = at.children().size() == 1 ? at.children().get(0) : null;
      }
    }
  }

  /** A scan whose reading is in no metric, but in the time of the stage's own code. */
  private static boolean isUntimedScan(PlanNode node) {
    boolean scans = node.name().startsWith("Scan") || node.name().startsWith("BatchScan");
    return scans && node.metrics().stream().noneMatch(m -> m.name().equals("scan time"));
  }

  /** Users' functions in it, each once. */
  public Set<Call> calls() {
    return calls;
  }

  /** Accumulators of its metrics. */
  public Set<Long> accumulators() {
    return accumulators;
  }

  /** Accumulators that count the rows that functions are called for; empty if none does. */
  public Set<Long> inputRows() {
    return inputRows;
  }

  /** Whether a function is given values that may be of any size. */
  public boolean hasWideArguments() {
    return hasWideArguments;
  }

  /** Whether a part of what Spark printed is missing, so that calls may be, too. */
  public boolean isCut() {
    return isCut;
  }

  /** Whether it reads files, and no metric says how long that takes. */
  public boolean hasUntimedScan() {
    return hasUntimedScan;
  }
}
