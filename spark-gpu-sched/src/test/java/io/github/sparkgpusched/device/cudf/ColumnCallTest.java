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

/**
 * Calls on columns under cuDF's own Java classes, over doubles of its natives and of the driver;
 * the kernels that convert columns are the jar's PTX, emulated. Nothing is a result about GPUs.
 */
class ColumnCallTest {
  @TempDir Path temporary;

  private String passes(String scenario, String... settings) throws Exception {
    Map<String, String> environment = new TreeMap<>(Map.of("CUDA_DOUBLE_PTX", "1"));
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      environment.put(parts[0], parts[1]);
    }
    CudaDouble.Ended ended =
        CudfDouble.run(temporary, ColumnCallScenarios.class, scenario, environment);
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("scenario done"), ended.output());
    assertFalse(ended.output().contains("LEAKED"), ended.output());
    return ended.output();
  }

  /** With demand, a wait that is missing gives wrong bytes every time. */
  @ParameterizedTest
  @ValueSource(strings = {"threads", "demand"})
  void allTypesGiveTheBytesOfTheJavaForms(String order) throws Exception {
    passes("types", "CUDA_DOUBLE_ORDER=" + order);
  }

  @ParameterizedTest
  @ValueSource(strings = {"noRows", "threads", "errors", "byJava", "slices", "cosine"})
  void holds(String scenario) throws Exception {
    passes(scenario);
  }

  @Test
  void noColumnCanBeMade() throws Exception {
    passes("noColumn");
  }

  @Test
  void stringsAreCountedInLongs() throws Exception {
    passes("wideOffsets", "LIBCUDF_LARGE_STRINGS_THRESHOLD=64");
  }

  @Test
  void theMemoryIsShort() throws Exception {
    passes("shortOfMemory", "CUDA_DOUBLE_MEMORY_MB=64");
  }

  @Test
  void eachAllocationFailsAndNothingIsLeft() throws Exception {
    passes("outOfMemory");
  }
}
