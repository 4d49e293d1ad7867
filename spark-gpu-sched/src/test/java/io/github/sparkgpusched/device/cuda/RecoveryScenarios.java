package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.checkAllGivenBack;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.compute;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.open;
import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import java.util.List;
import java.util.Optional;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/** Errors that cost a device a kernel, or its context, and not more. See {@link CudaScenarios}. */
final class RecoveryScenarios {
  private RecoveryScenarios() {}

  /**
   * The fault hits the first kernel that is loaded, or launched: the device refuses that function,
   * with NVIDIA's name of the error, and computes others.
   */
  static void refused() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    String expected = System.getenv("EXPECTED_ERROR");
    try (Batch batch = Batches.identity(3000, 3);
        Batch other = Batches.multiplyAdd(3000, 3)) {
      String first = refusal(device, batch);
      check(first.startsWith("cuda:0: ") && first.contains(expected), first);
      check(device.whyNot(other.call(), other.udf()).isEmpty(), "another function");
      if (System.getenv("REMEMBERED").equals("true")) {
        check(
            device.whyNot(batch.call(), batch.udf()).equals(Optional.of(first)), "not remembered");
      } else {
        check(device.whyNot(batch.call(), batch.udf()).isEmpty(), "there may be room next time");
      }
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(other.begin()))) {
        compute(device, launcher, other.rows(), 200);
        other.check();
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  static String refusal(CudaDevice device, Batch batch) throws Exception {
    try (CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()));
        Launch launch = stage(launcher, 0, batch.rows())) {
      launch.start();
      throw new AssertionError("not refused");
    } catch (JobRefusedException e) {
      return e.getMessage();
    }
  }

  /** A block's second kernel is refused while its first computes; others use the block's slot. */
  static void refusedBehindAnother() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    try (Batch batch = Batches.identity(3000, 3);
        Batch other = Batches.multiplyAdd(3000, 3);
        CudaLauncher both = new CudaLauncher(device, List.of(batch.begin(), other.begin()));
        CudaLauncher one = new CudaLauncher(device, List.of(batch.begin()))) {
      for (int i = 0; i < 3; i++) {
        Launch launch = stage(both, 0, batch.rows());
        try {
          launch.start();
          throw new AssertionError("not refused");
        } catch (JobRefusedException e) {
          check(e.getMessage().contains("multiply_add"), e.getMessage());
        }
        launch.close();
        compute(device, one, batch.rows(), 3000);
        batch.check();
        batch.begin();
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  /**
   * An error ends the context; with a new one the device computes again, as often as need be, but
   * not the function that failed, if it was that function's error.
   */
  static void recovers() throws Exception {
    int failures = Integer.parseInt(System.getenv("FAILURES"));
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    long rows = 0;
    try (Batch before = Batches.mandelbrot(100, 1);
        CudaLauncher launcher = new CudaLauncher(device, List.of(before.begin()))) {
      compute(device, launcher, before.rows(), 100);
    }
    for (int failed = 0; failed < failures; ) {
      try (Batch batch = failed == 0 ? Batches.identity(3000, 1) : Batches.multiplyAdd(3000, 2);
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        try {
          compute(device, launcher, batch.rows(), 200);
          batch.check();
        } catch (DeviceFailedException e) {
          failed++;
          System.out.println("failed: " + e.getMessage());
          rows = device.inner().rows();
          check(device.recover(), "does not recover");
          check(device.inner().parts() > 0 && device.inner().capacity() > 0, "shows no parts");
          boolean refused = device.whyNot(batch.call(), batch.udf()).isPresent();
          check(refused == e.getMessage().contains("a CUDA function "), "refused: " + refused);
        }
      }
    }
    functionsOn(device);
    check(device.inner().rows() > rows, "what it counted before is forgotten");
    device.close();
  }

  private static void functionsOn(CudaDevice device) throws Exception {
    for (Batch batch : Batches.all(3000, 7)) {
      if (device.whyNot(batch.call(), batch.udf()).isPresent()) {
        batch.close();
        continue;
      }
      try (batch;
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        compute(device, launcher, batch.rows(), 400);
        batch.check();
      }
    }
    checkAllGivenBack(device);
  }

  /** Somebody else in the process holds the context too: it cannot be ended, and has the error. */
  static void sharedContext() throws Exception {
    CudaDevice device = open(PipelineDepth.PIPELINED, 64 << 20);
    CUdevice handle = new CUdevice();
    JCudaDriver.cuDeviceGet(handle, device.gpu().ordinal());
    check(JCudaDriver.cuDevicePrimaryCtxRetain(new CUcontext(), handle) == 0, "retain");
    doesNotRecover(device, "another library of this process");
    check(JCudaDriver.cuDevicePrimaryCtxRelease(handle) == 0, "release");
    check(JCudaDriver.cuDevicePrimaryCtxRelease(handle) != 0, "a share that is left");
    // Once the other has left, too, there is a new context.
    device.open();
    functionsOn(device);
    device.close();
  }

  /** A GPU that is lost does not come back, and is not waited for. */
  static void lostForGood() throws Exception {
    doesNotRecover(open(PipelineDepth.PIPELINED, 64 << 20), "the GPU is lost");
  }

  private static void doesNotRecover(CudaDevice device, String expected) throws Exception {
    try (Batch batch = Batches.identity(3000, 1);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      try {
        compute(device, launcher, batch.rows(), 200);
        throw new AssertionError("no failure");
      } catch (DeviceFailedException e) {
        System.out.println("failed: " + e.getMessage());
      }
    }
    try {
      device.recover();
      throw new AssertionError("recovers");
    } catch (DeviceFailedException e) {
      check(e.getMessage().contains(expected), e.getMessage());
    }
    device.close();
  }
}
