package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.await;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.compute;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.open;
import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.testing.Patience;
import java.util.Arrays;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/**
 * Whose function ended the context, and is refused from then on. Kernels of the function {@code
 * identity} trap. See {@link CudaScenarios}.
 */
final class TrapScenarios {
  private TrapScenarios() {}

  private static CudaLauncher launcher(CudaDevice device, Batch... batches) throws Exception {
    CallOnDevice[] calls = Arrays.stream(batches).map(Batch::begin).toArray(CallOnDevice[]::new);
    return new CudaLauncher(device, List.of(calls));
  }

  private static void refuses(CudaDevice device, Batch batch, boolean expected) {
    boolean refused = device.whyNot(batch.call(), batch.udf()).isPresent();
    check(refused == expected, batch.call().name() + (refused ? " is refused" : " is not refused"));
  }

  /** Waits until the device has failed, and has it recover. */
  private static void fails(CudaDevice device) throws Exception {
    try {
      while (!device.pipeline().isQuiet()) {
        CudaScenarios.pause();
      }
      device.facts();
      throw new AssertionError("no failure");
    } catch (DeviceFailedException e) {
      check(e.getMessage().contains("719"), e.getMessage());
    }
    check(device.recover(), "does not recover");
  }

  private static void computes(CudaDevice device, Batch batch) throws Exception {
    try (CudaLauncher launcher = launcher(device, batch)) {
      compute(device, launcher, batch.rows(), 200);
      batch.check();
    }
  }

  private static Launch started(CudaLauncher launcher, int rows) throws Exception {
    Launch launch = stage(launcher, 0, rows);
    start(launch);
    return launch;
  }

  /** The device may fail while it is told of the rest of the block. */
  private static void start(Launch launch) throws Exception {
    try {
      launch.start();
    } catch (DeviceFailedException e) {
      check(e.getMessage().contains("719"), e.getMessage());
    }
  }

  private static void awaitTrap(Launch launch) throws Exception {
    try {
      await(launch);
      throw new AssertionError("no trap");
    } catch (DeviceFailedException e) {
      check(e.getMessage().contains("719"), e.getMessage());
    }
  }

  /** The function is refused with the error's words, also for jobs that knew nothing of it. */
  static void trap() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(1000, 3);
        Batch other = Batches.multiplyAdd(1000, 3);
        CudaLauncher launcher = launcher(device, batch)) {
      Launch first = stage(launcher, 0, 500);
      Launch second = stage(launcher, 500, 1000);
      start(first);
      start(second);
      first.close();
      second.close();
      fails(device);
      String why = device.whyNot(batch.call(), batch.udf()).orElse("nothing");
      check(
          why.startsWith("cuda:0: ")
              && why.contains("CUDA_ERROR_LAUNCH_FAILED (719)")
              && why.contains("let its cuda() give none"),
          why);
      String refusal = refusal(device, batch);
      check(refusal.equals(why), refusal);
      refuses(device, other, false);
      computes(device, other);
    }
    device.close();
  }

  /** Why a batch gets no launcher. */
  private static String refusal(CudaDevice device, Batch batch) throws Exception {
    try {
      launcher(device, batch);
    } catch (JobRefusedException e) {
      return e.getMessage();
    }
    throw new AssertionError("not refused");
  }

  /** Jobs of one launch have one function: it is refused at once, and its jobs try no more. */
  static void trapOfALaunchOfSeveralJobs() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(1000, 3);
        Batch more = Batches.identity(500, 4);
        CudaLauncher launcher = launcher(device, batch);
        CudaLauncher other = launcher(device, more)) {
      Launch first = stage(launcher, 0, 1000);
      Launch beside = other.stageBeside(first, 0, 500);
      start(first);
      awaitTrap(beside);
      first.close();
      beside.close();
      fails(device);
      refuses(device, batch, true);
      String refusal = refusal(device, more);
      check(refusal.contains("719"), refusal);
    }
    CudaScenarios.checkAllGivenBack(device);
    device.close();
  }

  /** Two calls of one block. */
  static void trapOfOneOfTwoCalls() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(1000, 3);
        Batch other = Batches.multiplyAdd(1000, 3);
        CudaLauncher both = launcher(device, other, batch)) {
      started(both, 1000).close();
      fails(device);
      refuses(device, batch, true);
      refuses(device, other, true);
    }
    device.close();
  }

  /**
   * Whose of two it was is known when it comes again. In the demand order, and nobody asks for the
   * block beside the one that traps: it is not done by then.
   */
  static void trapBesideAnother() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(1000, 3);
        Batch other = Batches.multiplyAdd(1000, 3);
        Batch third = Batches.mandelbrot(1000, 3)) {
      Batch[] beside = {other, third};
      for (Batch older : beside) {
        try (CudaLauncher first = launcher(device, older);
            CudaLauncher second = launcher(device, batch)) {
          refuses(device, batch, false);
          Launch before = started(first, 1000);
          Launch after = started(second, 1000);
          before.close();
          awaitTrap(after);
          after.close();
          fails(device);
        }
      }
      refuses(device, batch, true);
      for (Batch innocent : beside) {
        refuses(device, innocent, false);
        computes(device, innocent);
      }
    }
    device.close();
  }

  /** A block that is seen to be done has ended no context. In the demand order. */
  static void trapAfterAnother() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(1000, 3);
        Batch other = Batches.multiplyAdd(1000, 3);
        CudaLauncher first = launcher(device, other);
        CudaLauncher second = launcher(device, batch)) {
      Launch done = started(first, 1000);
      Launch trapping = started(second, 1000);
      await(done);
      done.close();
      trapping.close();
      fails(device);
      refuses(device, batch, true);
      refuses(device, other, false);
    }
    device.close();
  }

  /** The same of a block that was not wanted any more, and has ended. */
  static void trapAfterOneNotWanted() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(1000, 3);
        Batch other = Batches.multiplyAdd(1000, 3);
        CudaLauncher first = launcher(device, other);
        CudaLauncher second = launcher(device, batch)) {
      started(first, 1000).close();
      while (!device.pipeline().isQuiet()) {
        CudaScenarios.pause();
      }
      started(second, 1000).close();
      fails(device);
      refuses(device, batch, true);
      refuses(device, other, false);
    }
    device.close();
  }

  /** Another library's kernel traps: nobody's block was under way. */
  static void trapOfOthers() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(1000, 3);
        Batch other = Batches.multiplyAdd(1000, 3)) {
      computes(device, other);
      Pointer parameters = Pointer.to(Pointer.to(new byte[JobGrid.PARAMETER_BYTES]));
      int code =
          JCudaDriver.cuLaunchKernel(
              device.function(device.kernel(batch.call(), batch.udf())),
              1,
              1,
              1,
              KernelSource.BLOCK_THREADS,
              1,
              1,
              0,
              new Calls(device.name()).newStream(),
              parameters,
              null);
      check(code == 0, "launch gives " + code);
      long end = System.nanoTime() + Patience.NANOS;
      try {
        while (System.nanoTime() < end) {
          device.facts();
        }
        throw new AssertionError("no failure");
      } catch (DeviceFailedException e) {
        check(device.recover(), "does not recover");
      }
      refuses(device, batch, false);
      refuses(device, other, false);
    }
    device.close();
  }

  /** A kernel that stays and has nothing to do has ended no context; one at a job may have. */
  static void trapBesideOneThatStays() throws Exception {
    CudaDevice device = ResidentScenarios.open();
    try (Batch batch = Batches.identity(3000, 3);
        Batch other = Batches.mandelbrot(300, 3);
        CudaLauncher small = launcher(device, other);
        CudaLauncher large = launcher(device, batch)) {
      // It steps aside for the first launch; the second, the third kernel of all, traps beside it.
      compute(device, large, 3000, 3000);
      compute(device, small, 300, 100);
      other.check();
      started(large, 3000).close();
      check(device.resident().runs() == 1 && device.resident().jobs() == 3, "none stayed");
      fails(device);
      refuses(device, batch, true);
      refuses(device, other, false);
    }
    device.close();
  }

  /** A kernel that was to stay, and was refused, is not there when another one traps. */
  static void trapAfterARefusedOneThatStays() throws Exception {
    CudaDevice device = ResidentScenarios.open();
    try (Batch batch = Batches.identity(3000, 3);
        Batch other = Batches.mandelbrot(300, 3);
        CudaLauncher small = launcher(device, other);
        CudaLauncher large = launcher(device, batch)) {
      Launch refused = stage(small, 0, 100);
      try {
        refused.start();
        throw new AssertionError("not refused");
      } catch (JobRefusedException e) {
        check(e.getMessage().contains("CUDA_ERROR_OUT_OF_MEMORY"), e.getMessage());
      }
      refused.close();
      check(device.resident().runs() == 0, "it has stayed");
      started(large, 3000).close();
      fails(device);
      refuses(device, batch, true);
      refuses(device, other, false);
    }
    device.close();
  }
}
