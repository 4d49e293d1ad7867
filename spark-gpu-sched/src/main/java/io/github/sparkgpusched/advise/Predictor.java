package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.advise.replay.Replay;
import io.github.sparkgpusched.advise.replay.ReplayExecutor;
import io.github.sparkgpusched.advise.replay.ReplayStage;
import io.github.sparkgpusched.advise.replay.ReplayTask;
import io.github.sparkgpusched.advise.replay.Replayed;
import io.github.sparkgpusched.advise.replay.Sharing;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays a period: stages that overlap in time, from when the first was submitted until no stage
 * ran. What the driver does between periods takes as long as it took.
 */
final class Predictor {
  /**
   * What came of a period: for each of its stages how much earlier it ends.
   *
   * @param saved with all sharing, by stage
   * @param replaySeconds what the replay of plain Spark took; compared with the log's
   */
  record Prediction(
      List<Range> saved,
      List<Range> savedWithin,
      double replaySeconds,
      double logSeconds,
      Replayed plain,
      Replayed shared) {}

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
    List<Range> saved = new ArrayList<>();
    List<Range> savedWithin = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) {
      saved.add(saved(plain, across, i));
      savedWithin.add(saved(plain, within, i));
    }
    long end = stages.stream().mapToLong(s -> s.lastFinish).max().orElseThrow();
    return new Prediction(
        saved, savedWithin, plain.seconds(), (end - begin) / 1e3, plain, across[1]);
  }

  private static Range saved(Replayed plain, Replayed[] shared, int stage) {
    double[] by = new double[3];
    for (int i = 0; i < 3; i++) {
      by[i] = Math.max(0, plain.stageEnds().get(stage) - shared[i].stageEnds().get(stage));
    }
    return Range.of(by[0], by[1], by[2]);
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
      int after = before(stage);
      long from = after < 0 ? begin : stages.get(after).lastFinish;
      all.add(new ReplayStage(after, (starts(stage) - from) / 1e3, tasks));
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

  /** The stage that ended last before this one was submitted; -1 if none had. */
  private int before(StageRun stage) {
    int last = -1;
    for (int i = 0; i < stages.size(); i++) {
      StageRun other = stages.get(i);
      if (other != stage
          && other.completed <= stage.submitted
          && (last < 0 || other.completed > stages.get(last).completed)) {
        last = i;
      }
    }
    return last;
  }
}
