package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The checks for GPUs of {@link GpuFaultsTest} and {@link GpuKernelsTest}, on the test double: that
 * they would pass on a GPU that does what it should. Nothing here is a result about GPUs.
 */
class GpuScenariosTest {
  @TempDir Path temporary;

  private String passes(String scenario, Map<String, String> environment) throws Exception {
    Map<String, String> all = new TreeMap<>(environment);
    all.put("CUDA_DOUBLE_REPORT", "1");
    CudaDouble.Ended ended = CudaDouble.run(temporary, scenario, all);
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("scenario done"), ended.output());
    return ended.output();
  }

  @ParameterizedTest
  @CsvSource({
    "strictMath",
    "notExact",
    "residentBesideAFullGrid",
    "occupancy",
    "brokenModule",
    "sharedColumns",
    "jobsInOneLaunch",
    "oneJobOfALaunchIsOver",
    "literals"
  })
  void pass(String scenario) throws Exception {
    passes(scenario, Map.of("CUDA_DOUBLE_DEVICES", "2"));
  }

  @Test
  void theKernelThatStaysHasAsManyBlocksAsMay() throws Exception {
    String output = passes("residentBesideAFullGrid", Map.of("CUDA_DOUBLE_PTX", "1"));
    assertTrue(output.contains("launches of 4 blocks of threads ran beside 3 that stay"), output);
  }

  @Test
  void ptxIsLoadedWhereThereIsSass() throws Exception {
    String output = passes("ptxInPlaceOfSass", Map.of());
    assertTrue(output.contains("loaded PTX of levenshtein"), output);
    assertFalse(output.contains("loaded SASS of"), output);
  }

  /** The fault is that of the first block of the function that would trap. */
  @Test
  void aTrapAndTheRecovery() throws Exception {
    String output =
        passes(
            "trapAndRecovery",
            Map.of("CUDA_DOUBLE_DEVICES", "2", "CUDA_DOUBLE_FAULT", "0:sticky-719@13"));
    assertTrue(output.contains("RESULT the trap: cuda:0: "), output);
    assertTrue(output.contains("after a trap on cuda:0, cuda:1 computes"), output);
    assertTrue(output.contains("RESULT cuda:0 recovered, and has 0 KiB less memory"), output);
  }

  /** A device that does not recover is one that the check finds. */
  @Test
  void aTrapThatIsTheEndOfTheGpu() throws Exception {
    CudaDouble.Ended ended =
        CudaDouble.run(temporary, "trapAndRecovery", Map.of("CUDA_DOUBLE_FAULT", "0:lost@13"));
    assertEquals(CudaDouble.FAILED, ended.status(), ended.output());
    assertTrue(ended.output().contains("A new context did not help"), ended.output());
  }

  @Test
  void aTrapInSpark() throws Exception {
    String output =
        passes(
            "trapInSpark",
            Map.of("CUDA_DOUBLE_FAULT", "0:sticky-719@3", "TIMEOUT_MILLIS", "60000"));
    assertTrue(output.contains(" has recovered"), output);
    assertFalse(output.contains("was given up"), output);
  }
}
