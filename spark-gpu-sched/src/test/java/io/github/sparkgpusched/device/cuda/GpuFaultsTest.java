package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can go wrong on a GPU and is safe to try: no memory, a trap, a kernel that takes too long.
 * Each in a process of its own, as a trap is the end of CUDA in a process.
 */
@Tag("gpu")
class GpuFaultsTest {
  @TempDir Path temporary;

  @BeforeEach
  void needsGpu() {
    assumeFalse(
        Gpu.isDouble(Gpu.require().get(0)), "the test double's faults are in CudaDeviceTest");
  }

  private String passes(String scenario) throws Exception {
    ProcessBuilder process = CudaDouble.java(temporary, GpuScenarios.class, scenario);
    CudaDouble.Ended ended = CudaDouble.await(process, temporary);
    System.out.println(ended.output());
    assumeTrue(!ended.output().contains("there is no NVRTC here"), "needs NVRTC to compile it");
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("scenario done"), ended.output());
    return ended.output();
  }

  @Test
  void blocksAreHalvedWhereDeviceMemoryIsShort() throws Exception {
    passes("outOfMemory");
  }

  /** What it does to other GPUs of the process is printed: the results page has it. */
  @Test
  void aTrapIsAnErrorOfItsDevice() throws Exception {
    passes("trap");
  }

  @Test
  void rowsOfATrappedGpuRunElsewhere() throws Exception {
    passes("trapInSpark");
  }

  @Test
  void aKernelThatTakesTooLongIsGivenUp() throws Exception {
    passes("tooLongInSpark");
  }

  @Test
  void sparkQueriesOnAllGpus() throws Exception {
    ProcessBuilder process = CudaDouble.java(temporary, CudaSparkApp.class, "");
    process.environment().putAll(Map.of("DEVICES", "cuda:*"));
    CudaDouble.Ended ended = CudaDouble.await(process, temporary);
    System.out.println(ended.output());
    assertEquals(0, ended.status(), ended.output());
    for (CudaDevice device : Gpu.require()) {
      assertTrue(ended.output().contains("WORK driver/" + device.name()), ended.output());
    }
  }
}
