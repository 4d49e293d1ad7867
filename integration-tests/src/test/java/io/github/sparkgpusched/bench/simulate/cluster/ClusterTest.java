package io.github.sparkgpusched.bench.simulate.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.bench.simulate.ForwardingDealer;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulated cluster against schedules that can be computed by hand, and mistakes. */
@Tag("simulate")
class ClusterTest {
  /** Nothing but rows takes time, and all rows take the same. */
  private static Setting ideal(int executors, int cores) {
    Setting setting = new Setting();
    setting.executors = executors;
    setting.cores = cores;
    setting.rowSpread = 0;
    setting.fillNanos = 0;
    setting.taskNanos = 0;
    setting.wakeNanos = 0;
    setting.driverNanos = 0;
    setting.roundTripNanos = 0;
    setting.jitter = 0;
    setting.bytesPerSecond = Double.POSITIVE_INFINITY;
    setting.borrowed = 8;
    return setting;
  }

  private static Setting usual() {
    Setting setting = new Setting();
    setting.executors = 2;
    setting.cores = 2;
    setting.borrowed = 8;
    return setting;
  }

  private static List<Partition> partitions(long... rows) {
    return LongStream.range(0, rows.length)
        .mapToObj(i -> new Partition((int) i, rows[(int) i], i == 0))
        .toList();
  }

  @Test
  void aCoreTakesAllOfItsRows() {
    Setting setting = ideal(1, 1);
    Outcome outcome = Cluster.run(setting, partitions(1000));
    assertEquals(1000 * setting.rowNanos, outcome.makespan(), 1);
    assertEquals(1, outcome.ratio(), 1e-9);
    assertEquals(0, outcome.moved());
  }

  @Test
  void whatHasNoCoreYetWaits() {
    Setting setting = ideal(1, 2);
    Outcome outcome = Cluster.run(setting, partitions(1000, 1000, 1000, 1000));
    assertEquals(2000 * setting.rowNanos, outcome.makespan(), 1);
  }

  @Test
  void helpersOfTheExecutorShareTheOnlyPartition() {
    Setting setting = ideal(1, 4);
    Outcome outcome = Cluster.run(setting, partitions(40_000));
    assertEquals(1, outcome.ratio(), 0.01);
  }

  @Test
  void withoutAThirdLevelOneExecutorHasItAll() {
    Setting setting = ideal(4, 1);
    setting.borrowed = 0;
    Outcome outcome = Cluster.run(setting, partitions(10_000));
    assertEquals(10_000 * setting.rowNanos, outcome.makespan(), 1);
    assertEquals(0, outcome.messages());
  }

  @Test
  void aCopyFromTheBeginningIsNotDoneSooner() {
    Setting setting = ideal(4, 1);
    setting.borrowed = 0;
    setting.speculates = true;
    Outcome outcome = Cluster.run(setting, partitions(100_000, 1000, 1000, 1000));
    assertEquals(100_000 * setting.rowNanos, outcome.makespan(), 1);
  }

  @Test
  void twoExecutorsWithoutDelayHaveHalfEach() {
    Setting setting = ideal(2, 1);
    Outcome outcome = Cluster.run(setting, partitions(200_000));
    assertEquals(1, outcome.ratio(), 0.1);
    assertEquals(0.5, outcome.moved() / outcome.rows(), 0.05);
    assertEquals(1, outcome.cores());
  }

  @Test
  void theSameSeedGivesTheSameFigures() {
    List<Partition> work = partitions(60_000, 100, 100, 100);
    Outcome first = Cluster.run(usual(), work);
    Outcome second = Cluster.run(usual(), work);
    assertEquals(first.makespan(), second.makespan());
    assertEquals(first.moved(), second.moved());
    assertEquals(first.messages(), second.messages());
  }

  /** That no row is missing, and none is published twice, is looked at in each job. */
  @Test
  void aLenderThatDiesLosesNoRow() {
    Setting setting = usual();
    List<Partition> work = partitions(100_000);
    double before = Cluster.run(setting, work).makespan();
    for (int executor = 0; executor < setting.executors; executor++) {
      Setting dies = usual();
      dies.deaths.add(new Setting.Death(executor, Math.round(before / 2)));
      Outcome outcome = Cluster.run(dies, work);
      assertTrue(outcome.moved() > 0);
      assertTrue(outcome.makespan() > 1.2 * before, outcome.toString());
      // The other one has two cores for all of it; it begins anew if it was the task's that died.
      double alone = 100_000 * setting.rowNanos / setting.cores;
      assertTrue(outcome.makespan() < before / 2 + 1.1 * alone, outcome.toString());
    }
  }

  @Test
  void anAnswerThatNeverComesIsGivenUp() {
    Setting setting = usual();
    setting.lost = 0.01;
    Outcome outcome = Cluster.run(setting, partitions(200_000));
    assertTrue(outcome.makespan() > setting.rules.patienceNanos, outcome.toString());
    assertTrue(outcome.makespan() < 4 * setting.rules.patienceNanos, outcome.toString());
  }

  @Test
  void theDriverIsNotAskedForCheapRows() {
    Setting setting = usual();
    setting.rowNanos = 500;
    Outcome outcome = Cluster.run(setting, partitions(3_000_000));
    assertEquals(0, outcome.moved());
    assertTrue(outcome.messages() <= setting.executors, outcome.toString());
  }

  /** A few at first, and then no more than that; and the question for the function. */
  @Test
  void evenWorkIsWorthAMessageAnExecutorAndSecond() {
    Setting setting = new Setting();
    setting.cores = 2;
    double seconds = 2;
    Load even = new Load(0, seconds * 1e9, setting.rowNanos);
    Outcome outcome = Cluster.run(setting, even.partitions(setting));
    assertEquals(1, outcome.ratio(), 0.1);
    assertTrue(outcome.messages() > setting.executors, outcome.toString());
    assertTrue(outcome.messages() <= setting.executors * (6 + seconds), outcome.toString());
    assertTrue(outcome.moved() < 0.02 * outcome.rows(), outcome.toString());
  }

  @Test
  void placingByLoadGivesTheLargestAnExecutorEach() {
    Setting setting = ideal(2, 2);
    setting.borrowed = 0;
    setting.placing = Setting.Placing.BY_LOAD;
    Outcome outcome = Cluster.run(setting, partitions(100, 40_000, 40_000, 100));
    assertEquals(1, outcome.ratio(), 0.02);
  }

  @Test
  void rowsThatArePublishedTwiceAreNoticed() {
    String failure =
        failure(
            deal ->
                new ForwardingDealer(usual().strategy.deal(deal)) {
                  @Override
                  public void commit(int worker, Claim claim, long reached, long nanos, long now) {
                    super.commit(worker, claim, reached, nanos, now);
                    claim.won(claim.from(), reached);
                  }
                });
    assertTrue(failure.contains("was published twice"), failure);
  }

  @Test
  void rowsThatNobodyComputesAreNoticed() {
    String failure =
        failure(
            deal ->
                new ForwardingDealer(
                    usual()
                        .strategy
                        .deal(
                            Deal.builder(deal.rows() - 1, deal.workers())
                                .starters(deal.starters())
                                .targetNanos(deal.targetNanos())
                                .build())) {
                  @Override
                  public long rowsCommitted() {
                    return super.rowsCommitted() + 1;
                  }
                });
    assertTrue(failure.contains("rows were published"), failure);
  }

  private static String failure(Strategy strategy) {
    Setting setting = usual();
    setting.strategy = strategy;
    return assertThrows(IllegalStateException.class, () -> Cluster.run(setting, partitions(10_000)))
        .getMessage();
  }
}
