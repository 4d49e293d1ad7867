package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.device.cuda.CudaDouble;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an executor beside RAPIDS counts and owns, on the doubles of cuDF's natives and of the
 * driver. Nothing here is a result about GPUs.
 */
class CudfSparkTest {
  @TempDir Path temporary;

  private String run(String devices, String gpus) throws Exception {
    Map<String, String> environment = new TreeMap<>();
    environment.put("DEVICES", devices);
    environment.put("CUDA_DOUBLE_DEVICES", gpus);
    environment.put("CUDA_DOUBLE_PTX", "1");
    CudaDouble.Ended ended = CudfDouble.run(temporary, CudfSparkApp.class, "", environment);
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("0 bytes are left"), ended.output());
    return ended.output();
  }

  /**
   * Each batch that RAPIDS would compute is a block of its device, in all places that show load.
   * One that it tries again, as memory was short, is counted once.
   */
  @Test
  void whatRapidsComputesIsCounted() throws Exception {
    String output = run("auto", "1");
    assertTrue(output.contains("WORK driver/rapids:0: 2000 rows in 4 blocks (0 stolen)"), output);
    assertTrue(
        output.contains(
            "LOAD [host:0 0 rows 0 blocks 0 failures, host:1 0 rows 0 blocks 0 failures,"
                + " rapids:0 2000 rows 4 blocks 0 failures]"),
        output);
    assertTrue(output.contains("JSON shows rapids:0"), output);
    assertTrue(output.contains("TAB shows rapids:0"), output);
    assertTrue(output.contains("METRICS show rapids:0"), output);
    assertTrue(
        output.contains(
            "RAPIDS owns GPU 0: UDFs that it plans are computed there, as rapids:0; all others by the"
                + " cores"),
        output);
    assertTrue(output.contains("UDFs that RAPIDS plans are computed on its cuda:0: "), output);
  }

  /** RAPIDS' own is the first. */
  @Test
  void anotherGpuCanBeNamed() throws Exception {
    String output = run("host,cuda:1", "2");
    assertTrue(output.contains("cuda:1 0 rows 0 blocks 0 failures, host:0"), output);
    assertTrue(output.contains(" by the cores, and devices of this plugin (1)"), output);
  }
}
