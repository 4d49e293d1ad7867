package io.github.sparkgpusched.advise.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayTest {
  private static final double FOREVER = Double.MAX_VALUE;

  private static ReplayExecutor executor(int cores) {
    return new ReplayExecutor(cores, 0, FOREVER);
  }

  private static ReplayStage stage(ReplayTask... tasks) {
    return new ReplayStage(List.of(), 0, List.of(tasks));
  }

  private static double seconds(Sharing sharing, List<ReplayExecutor> on, ReplayStage... stages) {
    return Replay.run(on, List.of(stages), sharing).seconds();
  }

  @Test
  void plainSparkGivesTheNextTaskToAFreeCore() {
    ReplayStage stage =
        stage(
            new ReplayTask(3, 0, 1),
            new ReplayTask(1, 0, 1),
            new ReplayTask(1, 0, 1),
            new ReplayTask(2, 0, 1));
    assertEquals(4, seconds(Sharing.NONE, List.of(executor(2)), stage), 1e-6);
    assertEquals(4, seconds(Sharing.ACROSS, List.of(executor(1), executor(1)), stage), 1e-6);
  }

  @Test
  void anIdleCoreOfTheExecutorTakesHalfOfTheFunction() {
    ReplayStage stage = stage(new ReplayTask(1, 8, 100_000));
    List<ReplayExecutor> one = List.of(executor(2));
    assertEquals(9, seconds(Sharing.NONE, one, stage), 1e-6);
    double shared = seconds(Sharing.WITHIN, one, stage);
    assertTrue(shared > 5 && shared < 5.4, "" + shared);
  }

  @Test
  void whatIsNoFunctionStaysWhereItIs() {
    ReplayStage stage = stage(new ReplayTask(8, 0, 100_000));
    assertEquals(8, seconds(Sharing.ACROSS, List.of(executor(8), executor(8)), stage), 1e-6);
  }

  @Test
  void coresOfAnotherExecutorComeLaterAndHelpLess() {
    ReplayStage stage = stage(new ReplayTask(0, 8, 100_000));
    List<ReplayExecutor> two = List.of(executor(1), executor(1));
    assertEquals(8, seconds(Sharing.WITHIN, two, stage), 1e-6);
    double shared = seconds(Sharing.ACROSS, two, stage);
    double within = seconds(Sharing.WITHIN, List.of(executor(2)), stage);
    assertTrue(shared > within && shared < 4.7, shared + " against " + within);
    double withoutWaiting = Costs.LEARN_SECONDS + 100_000 * Costs.COPY_NANOS / 1e9;
    withoutWaiting += 8 / (1 + Costs.BORROWED);
    assertTrue(shared > withoutWaiting + 0.01, shared + " against " + withoutWaiting);
  }

  @Test
  void rowsThatAreCheapDoNotTravel() {
    ReplayStage stage = stage(new ReplayTask(0, 8, 4_200_000));
    List<ReplayExecutor> two = List.of(executor(1), executor(1));
    assertEquals(8, seconds(Sharing.ACROSS, two, stage), 1e-6);
  }

  /** One of two is shared by two cores at most. */
  @Test
  void aRowIsNotDivided() {
    ReplayStage stage = stage(new ReplayTask(0, 8, 2));
    assertTrue(seconds(Sharing.WITHIN, List.of(executor(16)), stage) >= 4);
    ReplayStage one = stage(new ReplayTask(0, 8, 1));
    assertEquals(8, seconds(Sharing.WITHIN, List.of(executor(16)), one), 1e-6);
  }

  @Test
  void aStageBeginsAfterTheOneBefore() {
    ReplayStage first = stage(new ReplayTask(1, 0, 1));
    ReplayStage second = new ReplayStage(List.of(0), 0.5, List.of(new ReplayTask(2, 0, 1)));
    Replayed replayed = Replay.run(List.of(executor(4)), List.of(first, second), Sharing.NONE);
    assertEquals(List.of(0.0, 1.5), replayed.stageStarts());
    assertEquals(List.of(1.0, 3.5), replayed.stageEnds());
  }

  /** The first would have ended last, and is helped: the other is waited for all the same. */
  @Test
  void aStageWaitsForAllThatItIsAfter() {
    ReplayStage helped = stage(new ReplayTask(0, 8, 1000));
    ReplayStage alone = stage(new ReplayTask(7, 0, 1));
    ReplayStage after = new ReplayStage(List.of(0, 1), 0.5, List.of(new ReplayTask(2, 0, 1)));
    List<ReplayStage> stages = List.of(helped, alone, after);
    assertEquals(
        10.5, Replay.run(List.of(executor(8)), stages, Sharing.NONE).stageEnds().get(2), 1e-6);
    assertEquals(
        9.5, Replay.run(List.of(executor(8)), stages, Sharing.WITHIN).stageEnds().get(2), 1e-6);
  }

  @Test
  void anExecutorThatComesLaterGetsTasksThen() {
    List<ReplayExecutor> on = List.of(executor(1), new ReplayExecutor(1, 1, FOREVER));
    ReplayStage stage =
        stage(new ReplayTask(2, 0, 1), new ReplayTask(2, 0, 1), new ReplayTask(2, 0, 1));
    assertEquals(4, seconds(Sharing.NONE, on, stage), 1e-6);
  }

  /** The replay may be slower than the log was: its tasks must still have somewhere to run. */
  @Test
  void tasksOutliveTheExecutorsOfTheLog() {
    List<ReplayExecutor> on = List.of(new ReplayExecutor(1, 0, 1));
    ReplayStage stage = stage(new ReplayTask(2, 0, 1), new ReplayTask(2, 0, 1));
    assertEquals(4, seconds(Sharing.NONE, on, stage), 1e-6);
  }

  @Test
  void withoutACoreThereIsNothingToReplay() {
    assertThrows(
        IllegalArgumentException.class,
        () -> seconds(Sharing.NONE, List.of(), stage(new ReplayTask(1, 0, 1))));
  }

  @Test
  void aTimeThatIsNoNumberDoesNotRunForever() {
    ReplayStage stage = stage(new ReplayTask(Double.NaN, 0, 1), new ReplayTask(1, 0, 1));
    assertThrows(
        IllegalStateException.class, () -> seconds(Sharing.NONE, List.of(executor(1)), stage));
  }

  /** No schedule is faster than all cores at work all the time, nor than a task's own thread. */
  @Test
  void noReplayIsFasterThanItsBound() {
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      List<ReplayExecutor> on = new ArrayList<>();
      int cores = 0;
      for (int e = 0; e < 1 + random.nextInt(5); e++) {
        on.add(executor(1 + random.nextInt(8)));
        cores += on.get(e).cores();
      }
      List<ReplayTask> tasks = new ArrayList<>();
      double work = 0;
      double longest = 0;
      for (int t = 0; t < 1 + random.nextInt(60); t++) {
        double skew = random.nextInt(8) == 0 ? 20 : 1;
        ReplayTask task =
            new ReplayTask(
                random.nextDouble(), skew * random.nextDouble(), 1 + random.nextInt(100_000));
        tasks.add(task);
        work += task.seconds();
        longest = Math.max(longest, task.otherSeconds());
      }
      ReplayStage stage = new ReplayStage(List.of(), 0, tasks);
      double plain = seconds(Sharing.NONE, on, stage);
      for (Sharing sharing : Sharing.values()) {
        Replayed replayed = Replay.run(on, List.of(stage), sharing);
        String what = i + " " + sharing + ": " + replayed.seconds() + ", plain " + plain;
        assertTrue(replayed.seconds() >= Math.max(work / cores, longest) - 1e-6, what);
        assertTrue(replayed.seconds() <= plain * 1.1 + 0.01, what);
        assertEquals(
            replayed.seconds(), Replay.run(on, List.of(stage), sharing).seconds(), 0, what);
        for (double mean : replayed.busy().mean(replayed.seconds(), 50)) {
          assertTrue(mean <= cores + 1e-6, what + ": " + mean + " cores are busy");
        }
      }
    }
  }
}
