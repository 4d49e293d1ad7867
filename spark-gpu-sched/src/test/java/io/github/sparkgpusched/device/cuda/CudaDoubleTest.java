package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What processes that tests start are told of devices. */
class CudaDoubleTest {
  private static final Map<String, String> OF_THE_HOST =
      Map.of(
          "CUDA_VISIBLE_DEVICES", "3",
          "CUDA_MPS_PIPE_DIRECTORY", "/mps",
          "CUDA_HOME", "/cuda",
          "CUDA_DOUBLE_DEVICES", "2");

  @TempDir Path temporary;

  /** On a host whose environment says much, what processes that this one starts would be told. */
  static final class Told {
    private Told() {}

    public static void main(String[] folder) throws Exception {
      ProcessBuilder process = CudaDouble.java(Path.of(folder[0]), Told.class);
      if (folder.length > 1) {
        CudaDouble.onDouble(process);
      }
      TreeMap<String, String> told = new TreeMap<>(process.environment());
      told.keySet().removeIf(name -> !name.startsWith("CUDA_"));
      System.out.println("told: " + told);
    }
  }

  private void assertTold(String expected, String... arguments) throws Exception {
    ProcessBuilder process = CudaDouble.java(temporary, Told.class, arguments);
    process.environment().keySet().removeIf(name -> name.startsWith("CUDA_")); // of this host
    process.environment().putAll(OF_THE_HOST);
    CudaDouble.Ended ended = CudaDouble.await(process, temporary);
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("told: " + expected + "\n"), ended.output());
  }

  @Test
  void processesOnGpusFindThoseThatTheHostLetsThem() throws Exception {
    assertTold(
        "{CUDA_HOME=/cuda, CUDA_MPS_PIPE_DIRECTORY=/mps, CUDA_VISIBLE_DEVICES=3}",
        temporary.toString());
  }

  @Test
  void processesOnTheDoubleDoNotHearOfGpus() throws Exception {
    CudaDouble.folder();
    assertTold("{}", temporary.toString(), "on the double");
  }
}
