package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark queries on CUDA devices of the test double: equal to plain Spark, whatever goes wrong.
 * Nothing here is a result about GPUs.
 */
class CudaSparkTest {
  @TempDir Path temporary;

  private String answersAreEqual(String devices, Map<String, String> environment) throws Exception {
    Map<String, String> all = new TreeMap<>(environment);
    all.put("DEVICES", devices);
    CudaDouble.Ended ended = CudaDouble.run(temporary, CudaSparkApp.class, "", all);
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("answers are equal"), ended.output());
    return ended.output();
  }

  @Test
  void twoGpusAndTheCores() throws Exception {
    String output =
        answersAreEqual(
            "auto",
            Map.of(
                "CUDA_DOUBLE_DEVICES",
                "2",
                "CUDA_DOUBLE_SLOWNESS",
                "1,3",
                "WORKED",
                "cuda:0,cuda:1,host:0"));
    for (String device : new String[] {"cuda:0", "cuda:1", "host:0"}) {
      assertTrue(output.contains("WORK driver/" + device), output);
    }
    // Not null, as it is of cores.
    assertTrue(output.matches("(?s).*LOAD \\[cuda:0,[0-9]+,[0-9]+].*"), output);
    assertTrue(
        output.matches(
            "(?s).*INNER cuda:0: InnerLoad\\[parts=[1-9][0-9]*, queueDepth=0, capacity=[1-9][0-9]*, rows=[1-9].*"),
        output);
    assertTrue(output.contains("ARGUMENTS="), output);
    assertFalse(output.contains("INNER host:"), output);
  }

  /** Two inputs of 8 bytes a row and their validity go in, a result and its validity come out. */
  @Test
  void whatIsCopiedIsTheSameInAllPlaces() throws Exception {
    String output = answersAreEqual("cuda:*", Map.of("CUDA_DOUBLE_DEVICES", "2"));
    Matcher bytes =
        Pattern.compile(
                "BYTES sql (Transfers\\[toDeviceBytes=([0-9]+), fromDeviceBytes=([0-9]+),"
                    + " nanos=([0-9]+)\\]) devices \\1 udfs \\1 end")
            .matcher(output);
    assertTrue(bytes.find(), output);
    assertTrue(Long.parseLong(bytes.group(2)) >= 16 * 100_000, output);
    assertTrue(Long.parseLong(bytes.group(3)) >= 8 * 100_000, output);
    assertTrue(Long.parseLong(bytes.group(4)) > 0, output);
    batchesHaveGrown(output);
  }

  /** The double's kernels compute 1,024 rows at once; of 100 rows there would be 200 batches. */
  private static void batchesHaveGrown(String output) {
    Matcher batches = Pattern.compile("BATCHES ([0-9]+) of 20000 rows").matcher(output);
    assertTrue(batches.find(), output);
    int count = Integer.parseInt(batches.group(1));
    assertTrue(count >= 20000 / 1024 && count < 40, output);
  }

  /** Kernels take so long that tasks wait: then their blocks go together. */
  @Test
  void manyTasksOfFewRowsShareLaunches() throws Exception {
    CudaDouble.Ended ended =
        CudaDouble.run(
            temporary, SmallTasksApp.class, "", Map.of("CUDA_DOUBLE_KERNEL_MICROS", "5000"));
    assertEquals(0, ended.status(), ended.output());
  }

  /** Of different speed, some with little memory. */
  @Test
  void eightGpusWithoutTheCores() throws Exception {
    String output =
        answersAreEqual(
            "cuda:*",
            Map.of(
                "CUDA_DOUBLE_DEVICES", "8",
                "CUDA_DOUBLE_SLOWNESS", "1,1,1,1,4,4,4,4",
                "CUDA_DOUBLE_MEMORY_MB", "1024,1024,1024,1"));
    // Cores compute what CUDA functions leave to them: null vertices, results that are too long.
    assertTrue(rows(output, "host") < rows(output, "cuda") / 20, output);
  }

  private static long rows(String output, String kind) {
    return Pattern.compile("WORK driver/" + kind + ":[0-9]+: ([0-9]+) rows")
        .matcher(output)
        .results()
        .mapToLong(match -> Long.parseLong(match.group(1)))
        .sum();
  }

  /** From a query down to the PTX in the jar, emulated lane by lane. */
  @Test
  void thePtxOfTheJar() throws Exception {
    String output = answersAreEqual("cuda:*", Map.of("CUDA_DOUBLE_PTX", "1", "ROWS", "4000"));
    assertTrue(output.contains("WORK driver/cuda:0"), output);
  }

  @Test
  void kernelsThatStay() throws Exception {
    String output =
        answersAreEqual("cuda:*,host", Map.of("CUDA_DOUBLE_DEVICES", "2", "RESIDENT_BLOCKS", "2"));
    assertFalse(output.contains("beside a resident kernel"), output);
  }

  @Test
  void kernelsThatStayAndHang() throws Exception {
    String output =
        answersAreEqual(
            "cuda:*",
            Map.of(
                "CUDA_DOUBLE_DEVICES", "2",
                "RESIDENT_BLOCKS", "2",
                "TIMEOUT_MILLIS", "3000",
                "KERNELS", "0:1",
                "CUDA_DOUBLE_FAULT", "*:hang@1"));
    // By the time-out for a block, as that is shorter here than what a kernel may take to start.
    assertTrue(output.contains("cuda:0 was given up"), output);
  }

  /** The error ends its context; with a new one it goes on. */
  @Test
  void anErrorOfOneGpu() throws Exception {
    String output =
        answersAreEqual(
            "cuda:*",
            Map.of(
                "CUDA_DOUBLE_DEVICES", "2", "KERNELS", "0:4", "CUDA_DOUBLE_FAULT", "0:sticky@3"));
    assertTrue(output.contains("cuda:0 has recovered"), output);
    assertFalse(output.contains("was given up"), output);
    assertTrue(output.contains("WORK driver/cuda:0"), output);
  }

  /** Queries that are repeated until this one of two GPUs has worked. */
  private String twoGpusWithFault(String worked, String fault) throws Exception {
    return answersAreEqual(
        "cuda:*", Map.of("CUDA_DOUBLE_DEVICES", "2", "WORKED", worked, "CUDA_DOUBLE_FAULT", fault));
  }

  /** It runs elsewhere then; the GPU fails once, and goes on with all others. */
  @Test
  void aFunctionThatTraps() throws Exception {
    String output = twoGpusWithFault("cuda:0", "0:sticky-719@multiply_add");
    assertEquals(2, output.split("cuda:0 has recovered", -1).length, output);
    assertTrue(output.contains("multiply_add_c1 is not used there again: cuda:0: "), output);
    assertFalse(output.contains("was given up"), output);
    assertTrue(output.contains("WORK driver/cuda:0"), output);
  }

  /** Each of its kernels fails, by what is no function's error. */
  @Test
  void aGpuThatFailsTooOftenIsGivenUp() throws Exception {
    String output =
        answersAreEqual(
            "cuda:*",
            Map.of(
                "CUDA_DOUBLE_DEVICES",
                "2",
                "KERNELS",
                "0:4",
                "WORKED",
                "cuda:1",
                "CUDA_DOUBLE_FAULT",
                "0:sticky-999@1+"));
    assertTrue(output.contains("cuda:0 has recovered"), output);
    assertTrue(output.contains("cuda:0 was given up: "), output);
    assertTrue(output.contains("CUDA_ERROR_UNKNOWN (999)"), output);
    assertTrue(output.contains("WORK driver/cuda:1"), output);
  }

  /** The function that does not load runs on the other GPU; the first goes on with all others. */
  @Test
  void aFunctionThatOneGpuCannotLoad() throws Exception {
    String output = twoGpusWithFault("cuda:0", "0:load-222@1");
    assertTrue(output.contains("CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)"), output);
    assertFalse(output.contains("was given up"), output);
    assertTrue(output.contains("WORK driver/cuda:0"), output);
  }

  @Test
  void aKernelThatNeverEnds() throws Exception {
    answersAreEqual(
        "cuda:*",
        Map.of(
            "CUDA_DOUBLE_DEVICES", "2",
            "TIMEOUT_MILLIS", "3000",
            "CUDA_DOUBLE_FAULT", "0:hang@3"));
  }

  @Test
  void allGpusAreLost() throws Exception {
    String output =
        answersAreEqual(
            "cuda:*",
            Map.of(
                "CUDA_DOUBLE_DEVICES",
                "2",
                "KERNELS",
                "0:2,1:2",
                "WORKED",
                "host:0",
                "CUDA_DOUBLE_FAULT",
                "*:lost@2"));
    assertTrue(output.contains("WORK driver/host:"), output);
  }

  private long rowsOnGpus(Map<String, String> environment) throws Exception {
    Map<String, String> all = new TreeMap<>(environment);
    all.put("CUDA_DOUBLE_DEVICES", "2");
    CudaDouble.Ended ended = CudaDouble.run(temporary, NotExactApp.class, "", all);
    assertEquals(0, ended.status(), ended.output());
    Matcher rows = Pattern.compile("ON GPUS: ([0-9]+) rows").matcher(ended.output());
    assertTrue(rows.find(), ended.output());
    return Long.parseLong(rows.group(1));
  }

  /** Each query gives the same bits: those of GPUs, however slow they are. */
  @Test
  void ofWhatIsNotExactCoresComputeNothing() throws Exception {
    assertEquals(
        NotExactApp.ROWS, rowsOnGpus(Map.of("DEVICES", "auto", "CUDA_DOUBLE_SLOWNESS", "4,4")));
  }

  @Test
  void whatIsNotExactIsComputedByCoresWhereNoGpuIsLeft() throws Exception {
    long onGpus = rowsOnGpus(Map.of("DEVICES", "auto", "CUDA_DOUBLE_FAULT", "*:lost@2"));
    assertTrue(onGpus < NotExactApp.ROWS, onGpus + " rows");
  }
}
