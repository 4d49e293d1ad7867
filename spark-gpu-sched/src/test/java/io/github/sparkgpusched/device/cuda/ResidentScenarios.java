package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;
import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayList;
import java.util.List;

/** Scenarios of a kernel that stays: see {@link CudaScenarios}. */
final class ResidentScenarios {
  private ResidentScenarios() {}

  static CudaDevice open() throws Exception {
    CudaDevice device =
        CudaDevices.find(
                CudaScenarios.settings(
                    "cuda:0",
                    null,
                    64 << 20,
                    CudaScenarios.eager("hybrid"),
                    new ResidentSettings(2, 16 << 10)))
            .get(0);
    device.open();
    return device;
  }

  /**
   * Blocks of a cluster start together, for which there may never be room beside one that stays.
   */
  static void residentInClusters() throws Exception {
    CudaDevice device = open();
    check(device.resident() == null, "a kernel stays beside clusters");
    try (Batch batch = Batches.identity(300, 1);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      CudaScenarios.compute(device, launcher, batch.rows(), 77);
      batch.check();
    }
    device.close();
  }

  private static void checkAllGivenBack(CudaDevice device) {
    check(device.pipeline().held() == 0, device.pipeline().held() + " slots or buffers are held");
    check(device.resident().held() == 0, device.resident().held() + " jobs are held");
  }

  /**
   * All functions, in blocks that the kernel takes and in others. The double refuses what may wait
   * for a kernel while one stays.
   */
  static void resident() throws Exception {
    CudaDevice device = open();
    for (int blockRows : new int[] {77, 300, 3000}) {
      for (Batch batch : Batches.all(3000, blockRows)) {
        try (batch;
            CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
          long before = device.resident().jobs();
          CudaScenarios.compute(device, launcher, batch.rows(), blockRows);
          batch.check();
          long given = device.resident().jobs() - before;
          check(blockRows < 3000 || given == 0, "a large block was given to the resident kernel");
          check(blockRows > 77 || given == (3000 + 76) / 77, given + " blocks were given to it");
        }
      }
    }
    // Two calls in one block are launched, beside it.
    List<Batch> batches = new ArrayList<>(Batches.all(600, 9));
    try (Batch small = Batches.identity(50, 1);
        CudaLauncher one = new CudaLauncher(device, List.of(small.begin()));
        CudaLauncher many = new CudaLauncher(device, batches.stream().map(Batch::begin).toList())) {
      for (int i = 0; i < 3; i++) {
        CudaScenarios.compute(device, one, 50, 10);
        small.check();
        CudaScenarios.compute(device, many, 600, 100);
        small.begin();
        batches.forEach(Batch::check);
        batches.forEach(Batch::begin);
      }
    }
    batches.forEach(Batch::close);
    // A run of few jobs between two of many: nobody waits for numbers that it never comes to.
    for (Batch batch :
        List.of(Batches.identity(300, 1), Batches.mandelbrot(20, 2), Batches.identity(300, 3))) {
      try (batch;
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        long before = device.resident().jobs();
        CudaScenarios.compute(device, launcher, batch.rows(), 10);
        batch.check();
        long given = device.resident().jobs() - before;
        check(given == batch.rows() / 10, given + " small blocks were given to it");
      }
    }
    checkAllGivenBack(device);
    awaitRest(device);
    check(device.resident().runs() > 5, "runs");
    System.out.printf(
        "kernels counted %d steals, %d won, %d offers%n",
        device.inner().stealRequests(), device.inner().steals(), device.inner().offers());
    device.close();
  }

  /**
   * Launches of more blocks of threads than find room beside the kernel that stays: those that
   * start compute the rows of the others, and it need not be stopped.
   */
  static void residentBesideLaunches() throws Exception {
    CudaDevice device = open();
    try (Batch small = Batches.mandelbrot(400, 1);
        Batch large = Batches.mandelbrot(6000, 2);
        CudaLauncher few = new CudaLauncher(device, List.of(small.begin()));
        CudaLauncher many = new CudaLauncher(device, List.of(large.begin()))) {
      check(
          many.mostBlocks(0) == 4,
          many.mostBlocks(0) + " blocks of threads, not all of the device");
      CudaScenarios.launchesBesideWhatStays(device, few, small, many, large, 3000);
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** The first launch of a function may make room for its stack, and wait for all kernels. */
  static void residentBesideAFirstLaunch() throws Exception {
    CudaDevice device = open();
    try (Batch large = Batches.identity(3000, 1);
        Batch small = Batches.mandelbrot(300, 2);
        Batch other = new CudaScenarios.Own("static").batch();
        CudaLauncher first = new CudaLauncher(device, List.of(large.begin()));
        CudaLauncher stays = new CudaLauncher(device, List.of(small.begin()));
        CudaLauncher last = new CudaLauncher(device, List.of(other.begin()))) {
      // The memory that the last needs is there by then, and all modules are loaded.
      CudaScenarios.compute(device, first, 3000, 3000);
      CudaScenarios.compute(device, stays, 300, 100);
      check(device.resident().mayRun(), "none stays");
      CudaScenarios.compute(device, last, 3000, 3000);
      other.check();
      CudaScenarios.compute(device, stays, 300, 100);
      small.check();
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** A launch that found no memory may look for some again, for which a kernel that stays ends. */
  static void residentBesideALaunchThatFoundNoMemory() throws Exception {
    CudaDevice device = open();
    try (Batch large = Batches.identity(3000, 1);
        Batch small = Batches.mandelbrot(300, 2);
        CudaLauncher stays = new CudaLauncher(device, List.of(small.begin()))) {
      String refusal = RecoveryScenarios.refusal(device, large);
      check(refusal.contains("OUT_OF_MEMORY"), refusal);
      CudaScenarios.compute(device, stays, 300, 100);
      check(device.resident().mayRun(), "none stays");
      try (CudaLauncher again = new CudaLauncher(device, List.of(large.begin()))) {
        CudaScenarios.compute(device, again, 3000, 3000);
      }
      large.check();
      CudaScenarios.compute(device, stays, 300, 100);
      small.check();
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** A kernel without jobs ends after a while. */
  private static void awaitRest(CudaDevice device) throws Exception {
    long end = System.nanoTime() + Patience.NANOS;
    while (device.rest()) {
      check(System.nanoTime() < end, "a kernel without jobs stays");
      Thread.sleep(1);
    }
    check(!device.resident().mayRun(), "runs");
  }

  /** Jobs that nobody wants any more, and others after them: no buffer is used by two. */
  static void residentAbandoned() throws Exception {
    CudaDevice device = open();
    try (Batch expensive = Batches.skewed(300);
        Batch batch = Batches.mandelbrot(3000, 5);
        CudaLauncher notWanted = new CudaLauncher(device, List.of(expensive.begin()));
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      for (int from = 0; from < 3000; from += 100) {
        Launch never = stage(notWanted, from % 300, from % 300 + 100);
        if (from % 200 == 0) {
          never.start();
        }
        never.close();
        Launch launch = stage(launcher, from, from + 100);
        launch.start();
        CudaScenarios.await(launch);
        launch.publish(from, from + 100, Batch.onHost(launcher.calls()));
        launch.close();
      }
      batch.check();
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** The kernel is fed while its device is closed. */
  static void residentShutdown() throws Exception {
    CudaDevice device = open();
    Batch batch = Batches.skewed(300);
    CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()));
    List<Launch> launches = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Launch launch = stage(launcher, 100L * i, 100L * i + 100);
      launch.start();
      launches.add(launch);
    }
    check(device.resident().mayRun(), "does not run");
    for (Launch launch : launches) {
      launch.close();
    }
    launcher.close();
    batch.close();
    checkAllGivenBack(device);
    device.close();
    check(device.pipeline() == null, "the device is left to the end of the process");
  }

  /** The kernel does not run, or an error ends it: the device says so soon, and can be closed. */
  static void residentFailure() throws Exception {
    CudaDevice device = open();
    Batch batch = Batches.identity(100, 3);
    CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()));
    Launch launch = stage(launcher, 0, 100);
    long begin = System.nanoTime();
    String failure = null;
    boolean started = false;
    while (failure == null) {
      try {
        if (!started) {
          started = true;
          launch.start();
        }
        check(!launch.isDone(), "done");
        check(System.nanoTime() - begin < Patience.NANOS, "nobody noticed");
      } catch (DeviceFailedException e) {
        failure = e.getMessage();
      }
    }
    check(failure.contains(System.getenv("EXPECTED_ERROR")), failure);
    launch.close();
    launcher.close();
    batch.close();
    checkAllGivenBack(device);
    device.close();
  }

  /** An error ends the kernel, and its context; in a new one it is started again. */
  static void residentRecovers() throws Exception {
    CudaDevice device = open();
    try (Batch batch = Batches.identity(2000, 3)) {
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        CudaScenarios.compute(device, launcher, batch.rows(), 100);
        throw new AssertionError("no failure");
      } catch (DeviceFailedException e) {
        System.out.println("failed: " + e.getMessage());
      }
      check(device.recover(), "does not recover");
      check(device.whyNot(batch.call(), batch.udf()).isPresent(), "its function goes on");
    }
    try (Batch other = Batches.mandelbrot(2000, 3);
        CudaLauncher launcher = new CudaLauncher(device, List.of(other.begin()))) {
      CudaScenarios.compute(device, launcher, other.rows(), 100);
      other.check();
    }
    check(device.resident().runs() > 0, "no kernel stays");
    checkAllGivenBack(device);
    device.close();
  }
}
