package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.config.DeviceList;
import io.github.sparkgpusched.device.DeviceKinds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which GPUs are meant; no driver takes part. */
class CudaDevicesTest {
  private static final GpuFacts FIRST = facts(0, "0000:3b:00.0", "NVIDIA H100", 80L << 30, 3);
  private static final GpuFacts SECOND = facts(1, "0000:1a:00.0", "NVIDIA H100", 80L << 30, 3);
  private static final GpuFacts MIG =
      facts(2, "0000:5e:00.0", "NVIDIA A100-SXM4-40GB MIG 1g.5gb", 512L << 20, 1);

  private static GpuFacts facts(
      int ordinal, String bus, String product, long memoryBytes, int copyEngines) {
    String uuid = ("0" + ordinal).repeat(16);
    GpuFacts.Builder facts = new GpuFacts.Builder();
    facts.ordinal = ordinal;
    facts.index = ordinal;
    facts.uuidHex = uuid;
    facts.product = product;
    facts.major = 9;
    facts.memoryBytes = memoryBytes;
    facts.multiprocessors = 132;
    facts.copyEngines = copyEngines;
    facts.memoryPools = true;
    facts.pciBusId = bus;
    return facts.build();
  }

  private static String select(String devices, String... assigned) {
    return select(false, devices, assigned);
  }

  private static String select(boolean besideRapids, String devices, String... assigned) {
    CudaSettings.Builder settings = new CudaSettings.Builder();
    settings.devices = items(devices);
    settings.assigned = List.of(assigned);
    settings.besideRapids = besideRapids;
    return String.join(
        " ",
        CudaDevices.select(
                settings.build(), CudaDevices.numbered(List.of(FIRST, SECOND, MIG), true))
            .stream()
            .map(facts -> facts.name() + "/" + facts.ordinal())
            .toList());
  }

  @Test
  void numbersGoByThePlaceOnTheBus() {
    assertEquals("cuda:0/1 cuda:1/0 cuda:2/2", select("auto"));
    assertEquals(
        List.of(0, 1, 2),
        CudaDevices.numbered(List.of(FIRST, SECOND, MIG), false).stream()
            .map(GpuFacts::ordinal)
            .toList());
  }

  @Test
  void byNumberAndUuid() {
    assertEquals("cuda:0/1 cuda:2/2", select("cuda:2,0"));
    assertEquals(SECOND.uuid(), "GPU-01010101-0101-0101-0101-010101010101");
    assertEquals("cuda:0/1", select("GPU-01010101-0101-0101-0101-010101010101,host"));
    assertEquals("cuda:2/2", select(MIG.uuid()));
    assertEquals("MIG-02020202-0202-0202-0202-020202020202", MIG.uuid());
  }

  @Test
  void whatSparkAssignedIsAllThereIs() {
    assertEquals("cuda:1/0", select("auto", "1"));
    assertEquals("cuda:1/0", select("cuda:*", FIRST.uuid()));
    assertEquals("cuda:0/1 cuda:2/2", select("cuda:*,host", "2", "0", "2"));
    assertError(
        "spark.gpusched.devices=cuda:0 asks for cuda:0", "cuda:1 (GPU-00000000", "cuda:0", "1");
  }

  /**
   * RAPIDS owns what Spark assigned, or else the first, by CUDA's numbers: {@code cudaSetDevice} is
   * given the address as it is.
   */
  @Test
  void besideRapidsTheOthersCanBeNamed() {
    assertEquals("cuda:0/1 cuda:2/2", select(true, "host,cuda:*"));
    assertEquals("cuda:2/2", select(true, "host,cuda:2"));
    assertEquals("cuda:1/0 cuda:2/2", select(true, "host,cuda:*", "1"));
    assertEquals("cuda:0/1", select(true, "cuda:0", FIRST.uuid()));
    IllegalStateException error =
        assertThrows(IllegalStateException.class, () -> select(true, "host,cuda:1"));
    assertTrue(error.getMessage().contains(" asks for cuda:1, but"), error.getMessage());
    assertTrue(error.getMessage().endsWith(" beside the GPU that RAPIDS owns"), error.getMessage());
  }

  @Test
  void besideRapidsThereAreNoneOfThemselves() {
    CudaSettings.Builder settings = new CudaSettings.Builder();
    settings.devices = items("auto");
    settings.besideRapids = true;
    assertEquals(List.of(), CudaDevices.find(settings.build()));
  }

  private static void assertError(
      String begin, String contains, String devices, String... assigned) {
    IllegalStateException error =
        assertThrows(IllegalStateException.class, () -> select(devices, assigned));
    assertTrue(error.getMessage().startsWith(begin), error.getMessage());
    assertTrue(error.getMessage().contains(contains), error.getMessage());
  }

  @Test
  void oneThatIsNotThereIsAnError() {
    assertError(
        "spark.gpusched.devices=cuda:0,cuda:3 asks for cuda:3", "cuda:0 (GPU-0101", "cuda:0,3");
    assertError("Spark assigned gpu 7", "CUDA_VISIBLE_DEVICES", "auto", "7");
  }

  @Test
  void depthIsChosenWithItsReason() {
    assertEquals("PIPELINED (copies overlap with kernels)", choose(null, FIRST, null));
    assertEquals("DRAIN_BEFORE_KICK (the device has only 512 MiB)", choose(null, MIG, null));
    assertEquals(
        "DRAIN_AFTER_KICK (CUDA_LAUNCH_BLOCKING=1: each launch waits anyway)",
        choose(null, FIRST, "1"));
    assertEquals(
        "PIPELINED (spark.gpusched.cuda.pipeline)",
        choose(PipelineDepth.ofConfig("pipelined"), MIG, "1"));
    assertEquals(
        "DRAIN_AFTER_KICK (the device has no engine that copies beside a kernel)",
        choose(PipelineDepth.ofConfig("auto"), facts(0, "", "", 1L << 40, 0), "0"));
  }

  private static String choose(PipelineDepth configured, GpuFacts facts, String blocking) {
    return PipelineDepth.choose(configured, facts, blocking).toString();
  }

  @Test
  void numaNode(@TempDir Path devices) throws Exception {
    Files.createDirectories(devices.resolve("0000:3b:00.0"));
    Files.writeString(devices.resolve("0000:3b:00.0").resolve("numa_node"), "1\n");
    assertEquals(1, CudaDevices.numaNode(devices, "0000:3b:00.0"));
    assertEquals(-1, CudaDevices.numaNode(devices, "0000:3c:00.0"));
  }

  @Test
  void theLineOfTheLog() {
    assertEquals(
        "cuda:0: NVIDIA H100, GPU-00000000-0000-0000-0000-000000000000, compute capability 9.0,"
            + " 81920 MiB, NUMA node unknown",
        FIRST.describe());
  }

  /** As the plugin reads them. */
  static CudaItems items(String devices) {
    DeviceList list = DeviceList.parse(devices);
    return CudaItems.parse(list, DeviceKinds.names(new CudaKind(), list));
  }

  @Test
  void lists() {
    for (String text : List.of("auto", "host", "host,cuda:*", "cuda:2,cuda:0")) {
      assertEquals(text, DeviceList.parse(text).text());
    }
    assertTrue(items(" AUTO ").all());
    assertEquals(List.of(0, 2), items("cuda:0,2, host").indexes());
    assertTrue(items("CUDA:*,host").list().withHost());
    Stream.of(
            "",
            "cuda",
            "cuda:",
            "cuda:x",
            "2",
            "host,2",
            "host,host",
            "host:0",
            "cuda:1,1",
            "cuda:1,01",
            "cuda:*,cuda:1",
            "cuda:*," + MIG.uuid(),
            MIG.uuid() + "," + MIG.uuid().toLowerCase(Locale.ROOT),
            "auto,host",
            "gpu-1",
            "cuda:-1",
            "cuda:99999",
            "pipe:0",
            "NPU-01010101-0101-0101-0101-010101010101",
            "host,")
        .forEach(
            text -> {
              IllegalArgumentException error =
                  assertThrows(
                      IllegalArgumentException.class,
                      () -> new DeviceKinds(List.of(new CudaKind())).check(DeviceList.parse(text)),
                      text);
              assertNotNull(error.getMessage(), text);
            });
  }
}
