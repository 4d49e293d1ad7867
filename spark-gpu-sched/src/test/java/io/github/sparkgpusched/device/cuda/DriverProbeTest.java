package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that are missing, old, or without a device; JVMs that load natives at once. */
class DriverProbeTest {
  /** NVIDIA's NVRTC the first, and the double of cuDF's natives, or tests on it, the rest. */
  private static final List<String> OF_OTHERS =
      List.of(
          "cuGetExportTable",
          "cuCtxGetCurrent",
          "cuCtxSynchronize",
          "cuEventQuery",
          "cuEventSynchronize",
          "cuMemcpyAsync",
          "cuMemcpyDtoDAsync_v2",
          "cuMemcpyDtoD_v2",
          "cuMemcpyDtoH_v2",
          "cuMemcpyHtoD_v2",
          "cuPointerGetAttribute");

  @TempDir Path temporary;

  private void passes(String expected, Map<String, String> environment) throws Exception {
    Map<String, String> all = new java.util.TreeMap<>(environment);
    all.put("EXPECTED_ERROR", expected);
    CudaDouble.Ended ended = CudaDouble.run(temporary, "noDriver", all);
    assertEquals(0, ended.status(), ended.output());
  }

  /** Twice in one process: the first time must not spoil the second. */
  @Test
  void noDriver() throws Exception {
    ProcessBuilder process = CudaDouble.java(temporary, CudaScenarios.class, "noDriver");
    process
        .environment()
        .put(
            "EXPECTED_ERROR",
            "(libcuda.so.1 cannot be loaded: cannot open shared object file: No such file or"
                + " directory): install");
    CudaDouble.Ended ended = CudaDouble.await(process, temporary);
    assumeTrue(
        ended.status() == 0 || !ended.output().contains("NUMA node"),
        "skipped: this host has a CUDA driver");
    assertEquals(0, ended.status(), ended.output());
  }

  /** As where only the plugin's own classes were packed. */
  @Test
  void withoutJCudaAndJna() throws Exception {
    ProcessBuilder process = CudaDouble.java(temporary, CudaScenarios.class, "noDriver");
    process.environment().put("EXPECTED_ERROR", "the libraries for CUDA cannot be loaded here");
    process.environment().put("TMPDIR", temporary.toString());
    List<String> command = process.command();
    int path = command.indexOf("-cp") + 1;
    command.set(
        path,
        Stream.of(command.get(path).split(java.io.File.pathSeparator))
            .filter(entry -> !entry.contains("jcuda-") && !entry.contains("jna-"))
            .collect(java.util.stream.Collectors.joining(java.io.File.pathSeparator)));
    CudaDouble.Ended ended = CudaDouble.await(process, temporary);
    assertEquals(0, ended.status(), ended.output());
  }

  @Test
  void anOldDriver() throws Exception {
    passes("the CUDA driver here is for CUDA 11.8", Map.of("CUDA_DOUBLE_VERSION", "11080"));
  }

  @Test
  void aDriverWithoutDevices() throws Exception {
    passes("this process sees no CUDA device", Map.of("CUDA_DOUBLE_DEVICES", "0"));
  }

  /** Called, it would end the process. */
  @Test
  void aDriverThatLacksAFunction() throws Exception {
    CudaDouble.folder();
    Path folder = Files.createDirectory(temporary.resolve("lacks"));
    CudaDouble.build("driver.cpp", folder.resolve("libcuda.so.1"), "-DCUDA_DOUBLE_LACKS_POOLS");
    passes("lacks cuMemPoolCreate", Map.of("LD_LIBRARY_PATH", folder.toString()));
  }

  /**
   * The double has the functions that are looked for, and those that JCuda calls, and no others but
   * those that others than the plugin call.
   */
  @Test
  void theDoubleHasTheFunctionsThatAreLookedFor() throws Exception {
    assumeTrue(CudaDouble.has("nm"), "skipped: no nm");
    Process nm =
        new ProcessBuilder(
                "nm",
                "-D",
                "--defined-only",
                CudaDouble.folder().resolve("libcuda.so.1").toString())
            .start();
    List<String> found =
        new String(nm.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.substring(line.lastIndexOf(' ') + 1))
            .filter(name -> name.matches("cu[A-Z].*"))
            .sorted()
            .toList();
    Set<String> wanted = new TreeSet<>(DriverLibrary.FUNCTIONS);
    wanted.addAll(OF_OTHERS);
    assertEquals(List.copyOf(wanted), found);
  }

  @Test
  void jvmsThatStartAtOnceLoadTheSameNatives() throws Exception {
    for (int round = 0; round < 2; round++) {
      Path shared = Files.createDirectory(temporary.resolve("round" + round));
      List<Process> processes = new ArrayList<>();
      List<Path> logs = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        ProcessBuilder process =
            CudaDouble.onDouble(CudaDouble.java(shared, CudaScenarios.class, "load"));
        logs.add(temporary.resolve("log" + i));
        processes.add(process.redirectOutput(logs.get(i).toFile()).start());
      }
      for (int i = 0; i < processes.size(); i++) {
        assertTrue(processes.get(i).waitFor(Patience.SECONDS, TimeUnit.SECONDS), "does not end");
        assertEquals(0, processes.get(i).exitValue(), Files.readString(logs.get(i)));
      }
      try (Stream<Path> files = Files.walk(shared)) {
        assertEquals(
            1,
            files.filter(file -> file.getFileName().toString().startsWith("libJCuda")).count(),
            "native libraries in " + shared);
      }
    }
  }
}
