package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.device.cuda.CudaDouble;
import io.github.sparkgpusched.device.cuda.Gpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
  void needsGpu() throws IOException {
    Gpu.requireReal("it has no cuDF");
    assumeTrue(System.getProperty(NATIVES) != null, "needs cuDF's natives: -D" + NATIVES);
    Path whatFor = Path.of(System.getProperty(NATIVES), "for");
    if (Files.exists(whatFor)) {
      Optional<String> whyNot =
          CudfNatives.parse(Files.readString(whatFor))
              .whyNot(Gpu.architecture(), Gpu.driverVersion());
      assumeTrue(whyNot.isEmpty(), () -> whyNot.orElseThrow());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"types", "noRows", "threads", "errors", "slices", "cosine", "shortOfMemory"})
  void holds(String scenario) throws Exception {
    passes(scenario, Map.of());
  }

  /** Which the natives of RAPIDS do when they are told to, and not by default. */
  @Test
  void stringsAreCountedInLongs() throws Exception {
    passes(
        "wideOffsets",
        Map.of("LIBCUDF_LARGE_STRINGS_ENABLED", "1", "LIBCUDF_LARGE_STRINGS_THRESHOLD", "64"));
  }

  private void passes(String scenario, Map<String, String> environment) throws Exception {
    ProcessBuilder process = CudaDouble.java(temporary, ColumnCallScenarios.class, scenario);
    process.environment().putAll(environment);
    process.command().add(1, "-Dai.rapids.cudf.lib-native-dir=" + System.getProperty(NATIVES));
    CudaDouble.Ended ended = CudaDouble.await(process, temporary);
    System.out.println(ended.output());
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("scenario done"), ended.output());
  }
}
