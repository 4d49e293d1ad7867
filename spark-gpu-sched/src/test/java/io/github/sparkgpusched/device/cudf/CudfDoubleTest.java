package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.device.cuda.CudaDouble;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The double of cuDF's natives itself, under cuDF's own Java classes. Nothing is about GPUs. */
class CudfDoubleTest {
  @TempDir Path temporary;

  private String passes(String scenario, Map<String, String> environment) throws Exception {
    CudaDouble.Ended ended =
        CudfDouble.run(temporary, CudfScenarios.class, scenario, new TreeMap<>(environment));
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("scenario done"), ended.output());
    return ended.output();
  }

  @ParameterizedTest
  @ValueSource(strings = {"roundTrips", "prefixSums", "nulls", "buffers", "ownColumns", "threads"})
  void holds(String scenario) throws Exception {
    String output = passes(scenario, Map.of());
    assertFalse(output.contains("LEAKED"), output);
    assertFalse(output.contains("cuda double:"), output);
  }

  /** Nothing runs before something waits for it. */
  @ParameterizedTest
  @ValueSource(strings = {"roundTrips", "parts", "ownColumns"})
  void holdsOnDemand(String scenario) throws Exception {
    passes(scenario, Map.of("CUDA_DOUBLE_ORDER", "demand"));
  }

  @Test
  void eachAllocationFails() throws Exception {
    passes("outOfMemory", Map.of());
  }

  @Test
  void parts() throws Exception {
    passes("parts", Map.of());
  }

  @Test
  void misuseIsRefused() throws Exception {
    String output = passes("misuse", Map.of("CUDA_DOUBLE_DEVICES", "2"));
    assertTrue(output.contains("another device than that of RMM"), output);
  }
}
