package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.sparkgpusched.device.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The GPUs of this host, for tests that need one: without, they are skipped with the reason. */
public final class Gpu {
  private Gpu() {}

  static CudaSettings settings(PipelineDepth depth, BlockSettings blocks) {
    return settings(depth, blocks, ResidentSettings.OFF, 1);
  }

  static CudaSettings settings(
      PipelineDepth depth, BlockSettings blocks, ResidentSettings resident, int cluster) {
    CudaSettings.Builder settings = new CudaSettings.Builder();
    settings.devices = CudaDevicesTest.items("cuda:*");
    settings.pipeline = depth;
    settings.blocks = blocks;
    settings.resident = resident;
    settings.cluster = cluster;
    settings.stringBytes = 32;
    settings.pinnedBytes = 1L << 30;
    return settings.build();
  }

  /** The GPUs, not opened; there is at least one. */
  static List<CudaDevice> require(CudaSettings settings) {
    try {
      List<CudaDevice> devices = CudaDevices.find(settings);
      if (!devices.isEmpty()) {
        Batch.lieIn(devices.get(0).slabs());
        return devices;
      }
    } catch (IllegalStateException e) {
      return abort("needs a GPU: " + e.getMessage());
    }
    return abort("needs a GPU, and there is none");
  }

  static List<CudaDevice> require() {
    return require(settings(null, BlockSettings.DEFAULT));
  }

  /**
   * The GPUs, not opened. Skips the test if there are none, or only those of the test double.
   *
   * @param instead what tests this on the double, or why nothing does
   */
  @CanIgnoreReturnValue
  public static List<CudaDevice> requireReal(String instead) {
    List<CudaDevice> devices = require();
    assumeFalse(isDouble(devices.get(0)), "on the test double: " + instead);
    return devices;
  }

  /**
   * The compute capability of the first GPU, as 90 in {@code sm_90}; the test is skipped without.
   */
  public static int architecture() {
    return require().get(0).gpu().architecture();
  }

  /** The version of CUDA that the driver is for, as it gives it: 12040 is 12.4. */
  public static int driverVersion() {
    try {
      return DriverLibrary.open().version();
    } catch (DriverLibrary.AbsentException e) {
      return abort("needs a GPU: " + e.getMessage());
    }
  }

  /** True on the test double of the driver, which is slow, and whose results are none of GPUs. */
  static boolean isDouble(CudaDevice device) {
    return device.gpu().product().startsWith("Test double");
  }

  /**
   * Runs a scenario of {@link CudaScenarios} on this host's GPUs, in a process of its own; skips
   * the test if it needs a compiler and there is none.
   *
   * @return what it printed
   */
  static String passes(Path temporary, String scenario) throws IOException, InterruptedException {
    ProcessBuilder process = CudaDouble.java(temporary, CudaScenarios.class, scenario);
    CudaDouble.Ended ended = CudaDouble.await(process, temporary);
    System.out.println(ended.output());
    assumeTrue(!ended.output().contains("there is no NVRTC here"), "needs NVRTC to compile it");
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("scenario done"), ended.output());
    return ended.output();
  }
}
