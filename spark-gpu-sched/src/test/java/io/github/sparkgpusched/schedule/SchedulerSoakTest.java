package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.FakeDevice.Mishap;
import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Random strategies, devices, jobs, faults and cancellations for a while: rows are exact, nothing
 * is written after a job's end, and nothing is left behind. {@code -Dsoak.seconds=3600} soaks for
 * an hour; {@code -Dsoak.seed} begins with the seed of a failure.
 */
class SchedulerSoakTest {
  private static final long SOAK_NANOS = TimeUnit.SECONDS.toNanos(Long.getLong("soak.seconds", 5));
  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(150);

  @Test
  void rowsAreExactWhateverGoesWrong() throws Exception {
    long seed = Long.getLong("soak.seed", 1);
    for (long end = System.nanoTime() + SOAK_NANOS; System.nanoTime() < end; seed++) {
      try {
        run(seed);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void run(long seed) throws Exception {
    Random random = new Random(seed);
    FakeDevice[] devices = new FakeDevice[1 + random.nextInt(4)];
    for (int i = 0; i < devices.length; i++) {
      int first = random.nextInt(12);
      Mishap mishap =
          List.of(Mishap.NONE, Mishap.FAILS, Mishap.HANGS, Mishap.FAILS_TO_LAUNCH)
              .get(random.nextInt(4));
      devices[i] =
          new FakeDevice(
              "fake:" + i,
              1 + random.nextInt(3),
              1000L * random.nextInt(60),
              1 + random.nextInt(200),
              (launch, from, until) -> launch == first ? mishap : Mishap.NONE);
      if (random.nextInt(3) == 0) {
        devices[i].memoryRows = 1L + random.nextInt(3000);
      }
    }
    List<String> names = List.copyOf(Strategies.names());
    String strategy = names.get(random.nextInt(names.size()));
    try (Rig rig =
        new Rig(
            2,
            Arrays.asList(devices),
            100_000,
            Strategies.byName(strategy, Strategies.Options.DEFAULT),
            new LaunchPolicy(new LeastLoaded(), random.nextBoolean(), true, SOON))) {
      List<Rig.Task<Void>> tasks = new ArrayList<>();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        long taskSeed = random.nextLong();
        tasks.add(rig.task(() -> jobs(rig, taskSeed)));
      }
      for (Rig.Task<Void> task : tasks) {
        try {
          task.result.get(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          throw new AssertionError("seed " + seed + ", " + strategy, e);
        }
      }
      rig.assertIdle();
    }
    for (FakeDevice device : devices) {
      assertEquals(0, device.stagedRows.get(), "rows left staged");
      assertEquals(0, device.openLaunchers.get(), "launchers left open");
    }
  }

  private static Void jobs(Rig rig, long seed) throws Exception {
    Random random = new Random(seed);
    List<LaunchDevicesTest.Counted> over = new ArrayList<>();
    for (int jobs = 1 + random.nextInt(5); jobs > 0; jobs--) {
      int rows = random.nextInt(20_000);
      LaunchDevicesTest.Counted body = new LaunchDevicesTest.Counted(rows, random.nextInt(300));
      long cancelAt =
          random.nextInt(4) == 0 ? System.nanoTime() + random.nextInt(2_000_000) : Long.MAX_VALUE;
      JobSpec spec =
          JobSpec.of(rows, body)
              .cancelled(() -> System.nanoTime() > cancelAt)
              .mayRunTwice(random.nextBoolean())
              .build();
      try {
        JobStats stats = rig.scheduler.run(spec);
        body.over.set(true);
        body.check();
        assertEquals(rows, stats.rows());
      } catch (CancellationException e) {
        body.over.set(true);
        assertTrue(cancelAt != Long.MAX_VALUE, "nobody cancelled");
        over.add(body);
      }
    }
    for (LaunchDevicesTest.Counted body : over) {
      assertEquals(0, body.late.get(), "written after the job's end");
    }
    return null;
  }
}
