package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can go wrong on a GPU and is safe to try: no memory, a trap, a kernel that takes too long.
 * Each in a process of its own, in which no other test's device is.
 */
@Tag("gpu")
class GpuFaultsTest {
  @TempDir Path temporary;

  @BeforeEach
  void needsGpu() {
    Gpu.requireReal("CudaDeviceTest");
  }

  private String passes(String scenario) throws Exception {
    return Gpu.passes(temporary, scenario);
  }

  @Test
  void blocksAreHalvedWhereDeviceMemoryIsShort() throws Exception {
    passes("outOfMemory");
  }

  /** What it does to other GPUs of the process is printed: the results page has it. */
  @Test
  void aTrapIsAnErrorOfItsDeviceWhichRecovers() throws Exception {
    passes("trapAndRecovery");
  }

  @Test
  void rowsOfATrappedGpuRunElsewhereAndItComputesAgain() throws Exception {
    String output = passes("trapInSpark");
    assertTrue(output.contains(" has recovered"), output);
    assertFalse(output.contains("was given up"), output);
  }

  @Test
  void aModuleThatDoesNotLoadCostsNoDevice() throws Exception {
    passes("brokenModule");
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
