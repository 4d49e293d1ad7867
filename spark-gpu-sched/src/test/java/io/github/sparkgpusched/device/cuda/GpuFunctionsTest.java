package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.schedule.DeviceFacts;
import io.github.sparkgpusched.testing.Patience;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    BlockSettings blocks = CudaScenarios.eager(strategy);
    for (CudaDevice device : Gpu.require(Gpu.settings(depth, blocks))) {
      System.out.println(device.name() + " " + strategy + " " + depth + " seed " + SEED);
      boolean large = !Gpu.isDouble(device);
      int rows = large ? ROWS : 500;
      device.open();
      for (int blockRows : new int[] {rows / 3 + 1, rows / 40 + 1, rows}) {
        for (Batch batch : batches(device, rows, SEED + blockRows)) {
          compute(device, batch, blockRows);
        }
      }
      compute(device, Batches.skewed(large ? 60_000 : 600), large ? 15_000 : 300);
      assertEquals(0, device.pipeline().held(), "slots or buffers that are not given back");
      device.close();
    }
  }

  /**
   * Those that need a compiler only where there is one, or where they are compiled. The test double
   * runs no PTX but what the jar brings.
   */
  private static List<Batch> batches(CudaDevice device, int rows, long seed) {
    if (Gpu.isDouble(device)) {
      return Batches.builtIn(rows, seed);
    }
    return Batches.all(rows, seed).stream()
        .filter(
            batch -> {
              Optional<String> reason = device.whyNot(batch.call(), batch.udf());
              reason.ifPresent(
                  text -> {
                    System.out.println("left out: " + batch.call().name() + ": " + text);
                    batch.close();
                  });
              return reason.isEmpty();
            })
        .toList();
  }

  /** Stealing that crosses a cluster's borders, and hybrid's sharing within. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void clustersOfBlocksOfThreads(int cluster) throws Exception {
    for (String strategy : BlockSettings.STRATEGIES) {
      BlockSettings blocks = CudaScenarios.eager(strategy);
      for (CudaDevice device :
          Gpu.require(Gpu.settings(null, blocks, ResidentSettings.OFF, cluster))) {
        boolean large = !Gpu.isDouble(device);
        assumeTrue(large || cluster < 8, "the test double has too few multiprocessors");
        int rows = large ? ROWS : 500;
        device.open();
        for (Batch batch : batches(device, rows, SEED + cluster)) {
          compute(device, batch, rows / 3 + 1);
        }
        compute(device, Batches.skewed(large ? 60_000 : 600), large ? 15_000 : 300);
        device.close();
      }
    }
  }

  /** Small blocks go to a kernel that stays; large ones, and several calls in one, beside it. */
  @Test
  void aKernelThatStays() throws Exception {
    ResidentSettings resident = new ResidentSettings(4, 16 << 10);
    for (CudaDevice device : Gpu.require(Gpu.settings(null, BlockSettings.DEFAULT, resident, 1))) {
      int rows = Gpu.isDouble(device) ? 500 : ROWS / 5;
      device.open();
      for (int blockRows : new int[] {1, 77, 300, rows}) {
        int some = Math.min(rows, 2000 * blockRows);
        for (Batch batch : batches(device, some, SEED + blockRows)) {
          compute(device, batch, blockRows);
        }
      }
      long end = System.nanoTime() + Patience.NANOS;
      while (device.rest()) {
        assertTrue(System.nanoTime() < end, "a kernel without jobs stays");
        Thread.sleep(1);
      }
      assertTrue(device.resident().jobs() > 0, "no block was given to it");
      assertEquals(0, device.resident().held(), "jobs that are not given back");
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
      List<Batch> batches = batches(device, rows, SEED);
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
      for (int i = 0; i < 20 && device.inner().steals() == 0; i++) {
        compute(device, Batches.skewed(large ? 400_000 : 6000), large ? 400_000 : 1500);
      }
      assertTrue(device.inner().steals() > 0, "no block of threads took a row from another");
      device.close();
    }
  }
}
