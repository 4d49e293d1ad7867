package io.github.sparkgpusched.bench.simulate.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.advise.replay.Replay;
import io.github.sparkgpusched.advise.replay.ReplayExecutor;
import io.github.sparkgpusched.advise.replay.ReplayStage;
import io.github.sparkgpusched.advise.replay.ReplayTask;
import io.github.sparkgpusched.advise.replay.Sharing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The advisor replays tasks as a fluid, this simulator deals their rows in blocks by the plugin's
 * dealers: of the same stage both say about the same.
 */
class ReplayAgainstSimulationTest {
  /** Of the longer of both times. */
  private static final double MOST_DIFFERENCE = 0.05;

  /** The replay's borrowed cores are dearer, as real ones are: it is to promise less. */
  private static final double MOST_DIFFERENCE_ACROSS = 0.2;

  private static void compare(int executors, int cores, int heavy, double part, int borrowed) {
    Setting setting = new Setting();
    setting.executors = executors;
    setting.cores = cores;
    setting.borrowed = borrowed;
    setting.rowNanos = 200_000;
    List<Partition> partitions =
        heavy == 0 ? Skew.even(setting, 4e9, 2) : Skew.heavy(setting, 4e9, heavy, part);
    double simulated = Cluster.run(setting, partitions).makespan() / 1e9;
    List<ReplayTask> tasks = new ArrayList<>();
    for (Partition partition : partitions) {
      double other = (setting.taskNanos + partition.rows() * setting.fillNanos) / 1e9;
      tasks.add(new ReplayTask(other, partition.rows() * setting.rowNanos / 1e9, partition.rows()));
    }
    List<ReplayExecutor> on = new ArrayList<>();
    for (int i = 0; i < executors; i++) {
      on.add(new ReplayExecutor(cores, 0, Double.MAX_VALUE));
    }
    Sharing sharing = borrowed == 0 ? Sharing.WITHIN : Sharing.ACROSS;
    double replayed =
        Replay.run(on, List.of(new ReplayStage(List.of(), 0, tasks)), sharing).seconds();
    double most = borrowed == 0 || heavy == 0 ? MOST_DIFFERENCE : MOST_DIFFERENCE_ACROSS;
    assertEquals(simulated, replayed, most * Math.max(simulated, replayed));
  }

  @Test
  void oneHeavyPartitionWithinAnExecutor() {
    compare(1, 8, 1, 0.9, 0);
  }

  @Test
  void oneHeavyPartitionOfManyExecutors() {
    compare(8, 4, 1, 0.9, 128);
  }

  @Test
  void someHeavyPartitions() {
    compare(8, 4, 5, 0.8, 128);
  }

  @Test
  void oneHeavyPartitionThatStaysInItsExecutor() {
    compare(4, 4, 1, 0.9, 0);
  }

  @Test
  void evenPartitions() {
    compare(4, 4, 0, 0, 128);
  }
}
