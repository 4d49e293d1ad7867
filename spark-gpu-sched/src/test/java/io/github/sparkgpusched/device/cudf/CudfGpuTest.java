package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.device.cuda.CudaDouble;
import io.github.sparkgpusched.device.cuda.Gpu;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls on cuDF's columns by cuDF's own natives on this host's first GPU, each check in a process
 * of its own. The natives are in a part of the GPU bundle.
 */
@Tag("gpu")
class CudfGpuTest {
  /** The folder of cuDF's natives. */
  private static final String NATIVES = "gpusched.cudf.natives";

  @TempDir Path temporary;

  /** Without a driver, cuDF's natives end their process. */
  @BeforeEach
  void needsGpu() {
    Gpu.requireReal();
    assumeTrue(System.getProperty(NATIVES) != null, "needs cuDF's natives: -D" + NATIVES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"types", "noRows", "threads", "errors", "slices", "cosine", "shortOfMemory"})
  void holds(String scenario) throws Exception {
    ProcessBuilder process = CudaDouble.java(temporary, ColumnCallScenarios.class, scenario);
    process.command().add(1, "-Dai.rapids.cudf.lib-native-dir=" + System.getProperty(NATIVES));
    CudaDouble.Ended ended = CudaDouble.await(process, temporary);
    System.out.println(ended.output());
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("scenario done"), ended.output());
  }
}
