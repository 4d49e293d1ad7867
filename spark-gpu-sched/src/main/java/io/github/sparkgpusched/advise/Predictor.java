package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.advise.replay.Replay;
import io.github.sparkgpusched.advise.replay.ReplayExecutor;
import io.github.sparkgpusched.advise.replay.ReplayStage;
import io.github.sparkgpusched.advise.replay.ReplayTask;
import io.github.sparkgpusched.advise.replay.Replayed;
import io.github.sparkgpusched.advise.replay.Sharing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Replays a period: stages that overlap in time, from when the first was submitted until no stage
 * ran. What the driver does between periods takes as long as it took.
 */
final class Predictor {
  /**
   * What came of a period.
   *
   * @param within with sharing inside of executors: at least, most likely and at most
   * @param across with all sharing, likewise
   * @param logSeconds what it took, to be compared with the replay of plain Spark
   */
  record Prediction(
      Replayed plain, List<Replayed> within, List<Replayed> across, double logSeconds) {
    /**
     * How much less time some stages take with all sharing, from where the first of them might
     * begin until the last has ended: what those before them save is not theirs.
     */
    Range saved(List<Integer> stages) {
      return saved(across, stages);
    }

    /** The same with sharing inside of executors. */
    Range savedWithin(List<Integer> stages) {
      return saved(within, stages);
    }

    private Range saved(List<Replayed> shared, List<Integer> stages) {
      double[] by = new double[3];
      for (int i = 0; i < 3; i++) {
        by[i] = Math.max(0, seconds(plain, stages) - seconds(shared.get(i), stages));
      }
      return Range.of(by[0], by[1], by[2]);
    }

    private static double seconds(Replayed replayed, List<Integer> stages) {
      double end = stages.stream().mapToDouble(replayed.stageEnds()::get).max().orElse(0);
      return end - stages.stream().mapToDouble(replayed.stageStarts()::get).min().orElse(0);
    }
  }

  private final List<ReplayExecutor> executors;
  private final List<StageRun> stages;
  private final long begin;

  /** Of each stage, at least, most likely and at most, by task; 0 where nobody can share. */
  private final List<double[][]> functions = new ArrayList<>();

  Predictor(List<ExecutorLife> lives, List<StageRun> stages, int coresOfTask) {
    this.stages = stages;
    this.begin = stages.stream().mapToLong(s -> s.submitted).min().orElseThrow();
    long end = stages.stream().mapToLong(s -> s.completed).max().orElseThrow();
    this.executors = new ArrayList<>();
    for (ExecutorLife life : lives) {
      if (life.added <= end && life.removed >= begin) {
        executors.add(
            new ReplayExecutor(
                Math.max(1, life.cores / coresOfTask),
                Math.max(0, (life.added - begin) / 1e3),
                life.removed > end ? Double.MAX_VALUE : (life.removed - begin) / 1e3));
      }
    }
    for (StageRun stage : stages) {
      functions.add(
          stage.mayBatch() ? stage.tasks.functionSeconds() : new double[3][stage.tasks.count()]);
    }
  }

  /** False if there is nothing to share, or the log does not say on what. */
  boolean isWorthIt() {
    return !executors.isEmpty() && stages.stream().anyMatch(StageRun::mayBatch);
  }

  Prediction predict() {
    Replayed plain = replay(Sharing.NONE, 0);
    Replayed[] within = new Replayed[3];
    Replayed[] across = new Replayed[3];
    boolean alone = executors.size() == 1;
    boolean mayStay = stages.stream().anyMatch(StageRun::mayHaveLargeRows);
    for (int i = 0; i < 3; i++) {
      within[i] = replay(Sharing.WITHIN, i);
      // At least, large rows stay in their executor.
      boolean stays = alone || (i == 0 && mayStay);
      across[i] = stays ? within[i] : replay(Sharing.ACROSS, i);
    }
    long end = stages.stream().mapToLong(s -> s.lastFinish).max().orElseThrow();
    return new Prediction(plain, List.of(within), List.of(across), (end - begin) / 1e3);
  }

  /** Where functions took the least (0), what is most likely (1), or the most (2). */
  private Replayed replay(Sharing sharing, int estimate) {
    List<ReplayStage> all = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) {
      StageRun stage = stages.get(i);
      double[] of = functions.get(i)[estimate];
      List<ReplayTask> tasks = new ArrayList<>(stage.tasks.count());
      for (int t : stage.tasks.inOrder()) {
        double whole = stage.tasks.seconds(t);
        double function = Math.min(whole, of[t]);
        tasks.add(new ReplayTask(whole - function, function, stage.tasks.rows(t)));
      }
      int last = before(stage);
      long from = last < 0 ? begin : stages.get(last).lastFinish;
      all.add(new ReplayStage(awaited(stage, last), (starts(stage) - from) / 1e3, tasks));
    }
    return Replay.run(executors, all, sharing);
  }

  /** When its first task could start: a moment after its submission, unless it waits for cores. */
  private long starts(StageRun stage) {
    long first = stage.tasks.firstLaunch(stage.submitted);
    for (StageRun other : stages) {
      if (other != stage && other.submitted <= first && other.completed > stage.submitted) {
        return stage.submitted;
      }
    }
    return Math.max(stage.submitted, first);
  }

  /**
   * What a stage waits for: all that had ended by its submission of its own query, and of the query
   * of the one that ended last. Which of them it needs is known to Spark's planner alone, and a
   * driver goes on when all of a query has ended.
   *
   * @param last what {@link #before} gives
   */
  private List<Integer> awaited(StageRun stage, int last) {
    if (last < 0) {
      return List.of();
    }
    Set<Integer> awaited = new LinkedHashSet<>();
    for (long execution : new long[] {stage.execution, stages.get(last).execution}) {
      List<Integer> ended = new ArrayList<>();
      long latest = Long.MIN_VALUE;
      for (int i = 0; i < stages.size(); i++) {
        StageRun other = stages.get(i);
        if (other.execution == execution && hadEnded(other, stage)) {
          ended.add(i);
          latest = Math.max(latest, other.submitted);
        }
      }
      for (int i : ended) {
        // Those that had ended before another of these began are awaited by that one.
        if (stages.get(i).completed > latest || stages.get(i).submitted == latest) {
          awaited.add(i);
        }
      }
    }
    return List.copyOf(awaited);
  }

  /**
   * Whether a stage had ended by another's submission. Not if both were submitted at that moment,
   * as each would await the other then.
   */
  private static boolean hadEnded(StageRun one, StageRun stage) {
    return one.completed <= stage.submitted && one.submitted < stage.submitted;
  }

  /** The stage that ended last before this one was submitted; -1 if none had. */
  private int before(StageRun stage) {
    int last = -1;
    for (int i = 0; i < stages.size(); i++) {
      StageRun other = stages.get(i);
      if (hadEnded(other, stage) && (last < 0 || other.completed > stages.get(last).completed)) {
        last = i;
      }
    }
    return last;
  }
}
