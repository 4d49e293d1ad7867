package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.advise.plan.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * What is kept of what was found: sums, and the queries and stages that matter most. Of a log of
 * any length it is a bounded amount.
 */
final class Findings {
  private static final int MOST_QUERIES = 50;
  private static final int MOST_STAGES = 50;
  private static final int MOST_REASONS = 100;
  private static final int MOST_IDS = 10;

  private record Reason(String function, String kind, String operator, String why) {}

  private final PriorityQueue<Report.Query> queries =
      new PriorityQueue<>(
          Comparator.comparingDouble((Report.Query q) -> q.saved().mid())
              .thenComparingDouble(Report.Query::seconds));
  private final PriorityQueue<Report.Stage> stages =
      new PriorityQueue<>(
          Comparator.comparingDouble((Report.Stage s) -> s.saved().mid())
              .thenComparingDouble(s -> s.functionSeconds().mid()));
  private final Map<Reason, List<Long>> reasons = new LinkedHashMap<>();
  private Range saved = Range.ZERO;
  private Range savedWithin = Range.ZERO;
  private Range functionSeconds = Range.ZERO;
  private double savedByRewriting;
  private boolean hasCalls;
  private double replaySeconds;
  private double replayedSeconds;

  void add(Report.Query query) {
    queries.add(query);
    if (queries.size() > MOST_QUERIES) {
      queries.poll();
    }
  }

  void add(Report.Stage stage) {
    functionSeconds = functionSeconds.plus(stage.functionSeconds());
    stages.add(stage);
    if (stages.size() > MOST_STAGES) {
      stages.poll();
    }
  }

  /** A period's: what the application ends earlier by. */
  void saved(Range all, Range within, boolean needsRewrite) {
    saved = saved.plus(all);
    savedWithin = savedWithin.plus(within);
    savedByRewriting += needsRewrite ? all.mid() : 0;
  }

  /** A period was replayed without sharing. */
  void replayed(double seconds, double logSeconds) {
    replaySeconds += seconds;
    replayedSeconds += logSeconds;
  }

  /** A call that was found, in a query or in none (-1). */
  void add(Call call, long query) {
    if (call.mayBatch()) {
      hasCalls = true;
      return;
    }
    Reason reason = new Reason(call.function(), call.kind().text(), call.operator(), call.whyNot());
    List<Long> ids = reasons.get(reason);
    if (ids == null && reasons.size() < MOST_REASONS) {
      ids = new ArrayList<>();
      reasons.put(reason, ids);
    }
    if (ids != null && ids.size() < MOST_IDS && !ids.contains(query)) {
      ids.add(query);
    }
  }

  Range saved() {
    return saved;
  }

  Range savedWithin() {
    return savedWithin;
  }

  Range functionSeconds() {
    return functionSeconds;
  }

  double replayError() {
    return replayedSeconds == 0 ? 0 : replaySeconds / replayedSeconds - 1;
  }

  Verdict verdict(double seconds) {
    return Verdict.of(saved, seconds, hasCalls, savedByRewriting > saved.mid() / 2);
  }

  /** Those that would gain most, first. */
  List<Report.Query> queries() {
    List<Report.Query> all = new ArrayList<>(queries);
    all.sort(queries.comparator().reversed());
    return all;
  }

  List<Report.Stage> stages() {
    List<Report.Stage> all = new ArrayList<>(stages);
    all.sort(stages.comparator().reversed());
    return all;
  }

  List<Report.NotBatched> notBatched() {
    List<Report.NotBatched> all = new ArrayList<>();
    reasons.forEach(
        (r, ids) ->
            all.add(new Report.NotBatched(r.function(), r.kind(), r.operator(), r.why(), ids)));
    return all;
  }
}
