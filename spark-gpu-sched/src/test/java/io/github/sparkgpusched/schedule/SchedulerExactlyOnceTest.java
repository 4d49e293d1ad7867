package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.schedule.strategy.PrefixCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.testing.Patience;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulerExactlyOnceTest {
  /** More than an int holds. */
  private static final long MANY_ROWS = 3_000_000_000L;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);

  private final AtomicLong rowsOfAll = new AtomicLong();
  private final AtomicLong blocksOfAll = new AtomicLong();

  /** Each row's count of computations, and the workers that are open. */
  private static final class Counting implements RangeBody {
    final int[] done;
    final long nanosPerBlock;
    final AtomicLong open = new AtomicLong();

    Counting(int rows, long nanosPerBlock) {
      this.done = new int[rows];
      this.nanosPerBlock = nanosPerBlock;
    }

    @Override
    public Worker open(Device device) {
      open.incrementAndGet();
      return new Worker() {
        @Override
        public void run(long from, long until) {
          for (int row = (int) from; row < until; row++) {
            CELL.getAndAdd(done, row, 1);
          }
          Rig.spin(nanosPerBlock);
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }

    void check(JobStats stats) {
      assertEquals(0, open.get(), "workers still open");
      for (int row = 0; row < done.length; row++) {
        if (done[row] != 1) {
          throw new AssertionError("row " + row + " was computed " + done[row] + " times");
        }
      }
      assertEquals(done.length, stats.rows());
      long rows = 0;
      long blocks = 0;
      long stolen = 0;
      long busy = 0;
      for (int device = 0; device < stats.devices(); device++) {
        rows += stats.work(device).rows();
        blocks += stats.work(device).blocks();
        stolen += stats.work(device).stolenBlocks();
        busy += stats.work(device).busyNanos();
      }
      assertEquals(stats.rows(), rows);
      assertEquals(stats.blocks(), blocks);
      assertEquals(stats.stolenBlocks(), stolen);
      assertEquals(stats.busyNanos(), busy);
    }
  }

  private static int rows(Random random, int cores) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(3);
      case 1 -> random.nextInt(cores + 1);
      case 2 -> random.nextInt(100);
      case 3, 4 -> random.nextInt(10_000);
      default -> random.nextInt(1_000_001);
    };
  }

  private Void jobs(Rig rig, long seed) throws Exception {
    Random random = new Random(seed);
    Pace pacer = random.nextBoolean() ? new Pace() : Rig.slowRows();
    for (int jobs = random.nextInt(6); jobs >= 0; jobs--) {
      int rows = rows(random, rig.cores);
      Counting body = new Counting(rows, rows > 10_000 ? 0 : random.nextInt(3) * 500L);
      RangeCosts costs = PrefixCosts.random(rows, random);
      JobStats stats = rig.scheduler.run(JobSpec.of(rows, body).costs(costs).pace(pacer).build());
      body.check(stats);
      rowsOfAll.addAndGet(stats.rows());
      blocksOfAll.addAndGet(stats.blocks());
    }
    return null;
  }

  @RepeatedTest(40)
  void manyTasksAtOnce(RepetitionInfo repetition) throws Exception {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    int cores = 1 + random.nextInt(8);
    try (Rig rig = new Rig(cores, 1000L + random.nextInt(20_000))) {
      List<Rig.Task<Void>> tasks = new ArrayList<>();
      for (int count = 1 + random.nextInt(cores + 1); count > 0; count--) {
        long taskSeed = random.nextLong();
        tasks.add(rig.task(() -> jobs(rig, taskSeed)));
      }
      for (Rig.Task<Void> task : tasks) {
        try {
          task.result.get(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
          throw new AssertionError("seed " + seed, e);
        }
      }
      rig.assertIdle();
      long rows = 0;
      long blocks = 0;
      for (DeviceLoad load : rig.table.snapshot()) {
        rows += load.rows();
        blocks += load.blocks();
        assertEquals(0, load.failures());
      }
      assertEquals(rowsOfAll.get(), rows);
      assertEquals(blocksOfAll.get(), blocks);
    }
  }

  @Test
  void noRowsOpenNoWorker() throws Exception {
    try (Rig rig = new Rig(2)) {
      JobStats stats =
          rig.scheduler.run(
              Rig.slow(
                  0,
                  device -> {
                    throw new AssertionError("opened");
                  }));
      assertEquals(0, stats.rows());
      assertEquals(2, stats.devices());
    }
  }

  @Test
  void oneCoreDoesAllItself() throws Exception {
    try (Rig rig = new Rig(1)) {
      Counting body = new Counting(1000, 0);
      JobStats stats = rig.job(Rig.slow(1000, body)).get();
      body.check(stats);
      assertEquals(0, stats.stolenBlocks());
      assertEquals(0, stats.waitNanos());
    }
  }

  @Test
  void moreRowsThanAnIntHolds() throws Exception {
    try (Rig rig = new Rig(2, 50_000)) {
      AtomicLong sum = new AtomicLong();
      RangeBody adding = Rig.body((from, until) -> sum.addAndGet(until - from));
      JobStats stats = rig.job(JobSpec.of(MANY_ROWS, adding).build()).get();
      assertEquals(MANY_ROWS, sum.get());
      assertEquals(MANY_ROWS, stats.rows());
    }
  }
}
