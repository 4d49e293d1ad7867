package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.DeviceFacts;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The kernels on this host's GPUs: the bytes of the host forms, every row once, on rows that differ
 * from run to run ({@code -Dgpu.seed} for those of another).
 */
@Tag("gpu")
class GpuFunctionsTest {
  private static final long SEED = Long.getLong("gpu.seed", System.nanoTime());

  /** Fewer under a tool that makes kernels slow. */
  private static final int ROWS = Integer.getInteger("gpu.rows", 100_000);

  @Test
  void devicesAreFoundAndOpened() throws Exception {
    for (CudaDevice device : Gpu.require()) {
      System.out.println(device + "; " + device.depth());
      device.open();
      DeviceFacts facts = device.facts();
      assertTrue(facts.freeBytes() > 0 && facts.freeBytes() <= facts.totalBytes(), facts::toString);
      try (Batch batch = Batches.identity(1000, SEED);
          CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        CudaScenarios.compute(device, launcher, batch.rows(), batch.rows());
        batch.check();
      }
      device.close();
    }
  }

  static Stream<Arguments> ways() {
    return BlockSettings.STRATEGIES.stream()
        .flatMap(
            strategy ->
                Stream.of(PipelineDepth.values()).map(depth -> Arguments.of(strategy, depth)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void allFunctionsGiveTheBytesOfTheHostForms(String strategy, PipelineDepth depth)
      throws Exception {
    // Thresholds so low that rows move.
    BlockSettings blocks = new BlockSettings(strategy, 1, 2, 4, 4, 1000, 16);
    for (CudaDevice device : Gpu.require(Gpu.settings(depth, blocks))) {
      System.out.println(device.name() + " " + strategy + " " + depth + " seed " + SEED);
      boolean large = !Gpu.isDouble(device);
      int rows = large ? ROWS : 500;
      device.open();
      for (int blockRows : new int[] {rows / 3 + 1, rows / 40 + 1, rows}) {
        for (Batch batch : Batches.all(rows, SEED + blockRows)) {
          compute(device, batch, blockRows);
        }
      }
      compute(device, Batches.skewed(large ? 60_000 : 600), large ? 15_000 : 300);
      assertEquals(0, device.pipeline().held(), "slots or buffers that are not given back");
      device.close();
    }
  }

  private static void compute(CudaDevice device, Batch batch, int blockRows) throws Exception {
    try (batch;
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      CudaScenarios.compute(device, launcher, batch.rows(), blockRows);
      batch.check();
    }
  }

  /** The second compute stage, and a block that depends on two kernels. */
  @Test
  void severalCallsInOneBlock() throws Exception {
    for (CudaDevice device : Gpu.require()) {
      int rows = Gpu.isDouble(device) ? 500 : ROWS / 2;
      device.open();
      List<Batch> batches = Batches.all(rows, SEED);
      try (CudaLauncher launcher =
          new CudaLauncher(device, batches.stream().map(Batch::begin).toList())) {
        CudaScenarios.compute(device, launcher, rows, rows / 7);
      }
      for (Batch batch : batches) {
        batch.check();
        batch.close();
      }
      device.close();
    }
  }

  /** Rows must move between blocks of threads where their cost differs as much as this. */
  @Test
  void blocksOfThreadsStealFromEachOther() throws Exception {
    for (CudaDevice device : Gpu.require()) {
      boolean large = !Gpu.isDouble(device);
      device.open();
      for (int i = 0; i < 20 && device.stealsWon() == 0; i++) {
        compute(device, Batches.skewed(large ? 400_000 : 6000), large ? 400_000 : 1500);
      }
      assertTrue(device.stealsWon() > 0, "no block of threads took a row from another");
      device.close();
    }
  }
}
