package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.schedule.strategy.Pace;
import io.github.sparkgpusched.testing.Patience;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;

class HelperTest {
  /** Again and again: a thread that has just started must hear it, too. */
  @RepeatedTest(100)
  void anInterruptIsNotTakenToTheNextJob() throws Exception {
    Job job =
        new Job(
            Rig.slow(1, Rig.body((from, until) -> {})),
            Rig.DEFAULT,
            new JobWorkers(new Placement.Placed(List.of(), 0), true, 1, 0, new Pace()),
            new CostMemory(),
            new Cores(
                new DeviceSeats(1),
                List.of(new Rig.Core("host:0")),
                LoadTable.ofNames(List.of("host:0")),
                1));
    BlockingQueue<List<Boolean>> seen = new LinkedBlockingQueue<>();
    HelperPool[] pool = new HelperPool[1];
    pool[0] =
        new HelperPool(
            1,
            helper -> {
              helper.enter(job);
              interruptFromOutside(pool[0], job);
              boolean inside = Thread.currentThread().isInterrupted();
              helper.exit();
              seen.add(List.of(inside, Thread.currentThread().isInterrupted()));
            },
            () -> true);
    try {
      pool[0].wake();
      assertEquals(List.of(true, false), seen.poll(Patience.SECONDS, TimeUnit.SECONDS));
    } finally {
      pool[0].close();
      for (Thread thread : pool[0].threads()) {
        thread.join(TimeUnit.SECONDS.toMillis(Patience.SECONDS));
      }
    }
  }

  /** Interrupts on a thread of its own, and returns when that is done. */
  private static void interruptFromOutside(HelperPool pool, Job job) {
    Thread other = new Thread(() -> pool.interrupt(job));
    other.start();
    while (other.isAlive()) {
      Thread.onSpinWait(); // not join: it would hear the interrupt
    }
  }
}
