package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.advise.plan.Call;
import io.github.sparkgpusched.advise.replay.Replayed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Gathers stages until none runs any more, and then has them replayed. */
final class Periods {
  /** A period that has no end is cut here, as its tasks are in memory. */
  private static final long MOST_TASKS = 1_500_000;

  private static final int DRAWN_TASKS = 400;
  private static final int DRAWN_INTERVALS = 80;

  private final Executors executors;
  private final Findings findings;
  private final Consumer<Execution> predicted;
  private final Map<Long, Execution> executions;
  private final Set<StageRun> active = new HashSet<>();
  private final List<StageRun> done = new ArrayList<>();
  private long tasks;

  Periods(
      Executors executors,
      Findings findings,
      Map<Long, Execution> executions,
      Consumer<Execution> predicted) {
    this.executors = executors;
    this.findings = findings;
    this.executions = executions;
    this.predicted = predicted;
  }

  void submitted(StageRun stage) {
    active.add(stage);
    Execution execution = executions.get(stage.execution);
    if (execution != null) {
      execution.pending++;
    }
  }

  void completed(StageRun stage, int coresOfTask) {
    if (active.remove(stage)) {
      done.add(stage);
      tasks += stage.tasks.count();
    }
    if (active.isEmpty() || tasks > MOST_TASKS) {
      close(coresOfTask);
    }
  }

  /** The log has ended, whatever still ran. */
  void end(int coresOfTask) {
    for (StageRun stage : List.copyOf(active)) {
      stage.completed = Math.max(stage.submitted, stage.lastFinish);
      done.add(stage);
    }
    active.clear();
    close(coresOfTask);
  }

  private void close(int coresOfTask) {
    if (done.isEmpty()) {
      return;
    }
    long until = done.stream().mapToLong(s -> s.completed).max().orElseThrow();
    try {
      replay(coresOfTask);
    } finally {
      // A period that cannot be replayed is none of the next one's.
      done.clear();
      tasks = 0;
    }
    if (active.isEmpty()) {
      executors.forget(until);
    }
  }

  private void replay(int coresOfTask) {
    Predictor predictor = new Predictor(executors.all(), done, coresOfTask);
    Predictor.Prediction prediction = predictor.isWorthIt() ? predictor.predict() : null;
    Map<Execution, List<Integer>> byExecution = new HashMap<>();
    List<Integer> whole = new ArrayList<>();
    boolean needsRewrite = false;
    for (int i = 0; i < done.size(); i++) {
      StageRun stage = done.get(i);
      tell(stage, saved(prediction, List.of(i)), prediction);
      Execution execution = executions.get(stage.execution);
      if (execution != null) {
        byExecution.computeIfAbsent(execution, e -> new ArrayList<>()).add(i);
        execution.needsRewrite |= stage.mayBatch() && needsRewrite(stage);
        execution.pending--;
      }
      whole.add(i);
      needsRewrite |= stage.mayBatch() && needsRewrite(stage);
    }
    if (prediction != null) {
      findings.replayed(prediction.plain().seconds(), prediction.logSeconds());
      Range[] saved = saved(prediction, whole);
      findings.saved(saved[0], saved[1], needsRewrite);
    }
    byExecution.forEach(
        (execution, stages) -> {
          // It ends with the last of its stages, whichever that is then.
          Range[] saved = saved(prediction, stages);
          execution.saved = execution.saved.plus(saved[0]);
          execution.savedWithin = execution.savedWithin.plus(saved[1]);
          predicted.accept(execution);
        });
  }

  /** How much earlier the last of some stages ends: with all sharing, and inside of executors. */
  private static Range[] saved(Predictor.Prediction prediction, List<Integer> stages) {
    return prediction == null
        ? new Range[] {Range.ZERO, Range.ZERO}
        : new Range[] {prediction.saved(stages), prediction.savedWithin(stages)};
  }

  static boolean needsRewrite(StageRun stage) {
    return stage.calls().stream().anyMatch(call -> call.mayBatch() && call.kind().isPython());
  }

  private void tell(StageRun stage, Range[] saved, Predictor.Prediction prediction) {
    List<Call> calls = stage.calls();
    Execution execution = executions.get(stage.execution);
    for (Call call : calls) {
      findings.add(call, stage.execution);
    }
    if (!stage.mayBatch() || stage.tasks.count() == 0) {
      return;
    }
    if (execution != null) {
      execution.hasCalls = true;
    }
    double[][] functions = stage.tasks.functionSeconds();
    double[] times = stage.tasks.sorted();
    double median = times[times.length / 2];
    double longest = times[times.length - 1];
    List<String> names = new ArrayList<>();
    calls.stream()
        .filter(Call::mayBatch)
        .map(call -> call.function() + " (" + call.kind().text() + ")")
        .distinct()
        .forEach(names::add);
    findings.add(
        new Report.Stage(
            stage.id,
            stage.attempt,
            // A stage's own name is a line of Spark's since 4.0.
            execution == null ? stage.name : execution.description,
            stage.execution,
            names,
            times.length,
            stage.tasks.rows(),
            stage.seconds(),
            median,
            longest,
            longest / Math.max(1e-3, median),
            stage.tasks.runSeconds(),
            stage.tasks.processorSeconds(),
            stage.tasks.scanSeconds(),
            new Range(sum(functions[0]), sum(functions[1]), sum(functions[2])),
            saved[0],
            saved[1],
            needsRewrite(stage),
            picture(times, prediction)));
  }

  private static double sum(double[] all) {
    double sum = 0;
    for (double one : all) {
      sum += one;
    }
    return sum;
  }

  private static Report.Picture picture(double[] times, Predictor.Prediction prediction) {
    int drawn = Math.min(DRAWN_TASKS, times.length);
    List<Double> some = new ArrayList<>();
    for (int i = drawn - 1; i >= 0; i--) {
      // The longest is always there.
      some.add(times[times.length - 1 - (int) ((long) i * times.length / drawn)]);
    }
    if (prediction == null) {
      return new Report.Picture(some, List.of(), List.of(), 0);
    }
    double length = prediction.plain().seconds();
    return new Report.Picture(
        some, mean(prediction.plain(), length), mean(prediction.across().get(1), length), length);
  }

  private static List<Double> mean(Replayed replayed, double length) {
    return Arrays.stream(replayed.busy().mean(length, DRAWN_INTERVALS)).boxed().toList();
  }
}
