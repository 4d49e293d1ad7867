package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.advise.plan.Call;
import io.github.sparkgpusched.advise.plan.Segment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An attempt of a stage, from its submission to its end. */
final class StageRun {
  final int id;
  final int attempt;
  final String name;
  final long execution;
  final long submitted;
  final TaskTimes tasks = new TaskTimes();
  final Set<Segment> segments = new LinkedHashSet<>();
  long completed;
  long lastFinish;
  int failedTasks;

  StageRun(int id, int attempt, String name, long execution, long submitted) {
    this.id = id;
    this.attempt = attempt;
    this.name = name;
    this.execution = execution;
    this.submitted = submitted;
    this.lastFinish = submitted;
  }

  /** Users' functions in it, each once. */
  List<Call> calls() {
    Set<Call> calls = new LinkedHashSet<>();
    segments.forEach(segment -> calls.addAll(segment.calls()));
    return new ArrayList<>(calls);
  }

  /** Whether another core could take over rows, were its functions those of the plugin. */
  boolean mayBatch() {
    return segments.stream().anyMatch(s -> s.calls().stream().anyMatch(Call::mayBatch));
  }

  /** Whether its rows may be too large to travel: how large they are is in no log. */
  boolean mayHaveLargeRows() {
    return segments.stream().anyMatch(Segment::hasWideArguments);
  }

  /** Whether Python's workers run one of them, in processes of their own. */
  boolean hasPython() {
    return segments.stream()
        .anyMatch(s -> s.calls().stream().anyMatch(call -> call.kind().isPython()));
  }

  double seconds() {
    return Math.max(0, completed - submitted) / 1e3;
  }
}
