package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How many blocks of threads of a kernel that stays, and of one that is launched beside it, find
 * room on a GPU, by what ptxas says that they take (cuda/resources.md). A model: multiprocessors as
 * NVIDIA's tables of compute capabilities have them, blocks wherever they are most in the way.
 * {@link GpuKernelScenarios#occupancy} holds it against what a driver says.
 */
class PackingTest {
  static final int REGISTERS = 65536;
  private static final int WARP = 32;

  enum Gpu {
    T4(75, 40, 1024, 16),
    A100(80, 108, 2048, 32),
    A10(86, 72, 1536, 16),
    RTX_4090(89, 128, 1536, 24),
    H100(90, 132, 2048, 32);

    final int architecture;
    final int multiprocessors;
    final int threads;
    final int blocks;

    Gpu(int architecture, int multiprocessors, int threads, int blocks) {
      this.architecture = architecture;
      this.multiprocessors = multiprocessors;
      this.threads = threads;
      this.blocks = blocks;
    }

    /** The one of an architecture, if there is one. */
    static Optional<Gpu> of(int architecture) {
      return Arrays.stream(values()).filter(gpu -> gpu.architecture == architecture).findFirst();
    }

    /** Whether a multiprocessor has room for so many blocks of one kernel and one of another. */
    boolean fits(int count, Kernel kernel, Kernel other) {
      return count * kernel.blockRegisters() + other.blockRegisters() <= REGISTERS
          && (count + 1) * KernelSource.BLOCK_THREADS <= threads
          && count + 1 <= blocks;
    }

    /** Blocks of a kernel on one multiprocessor. */
    int occupancy(Kernel kernel) {
      int count = 0;
      while (fits(count, kernel, kernel)) {
        count++;
      }
      return count;
    }

    /** Blocks of the kernel, if it stays. */
    int staying(Kernel kernel) {
      int all = occupancy(kernel) * multiprocessors;
      return Math.min(all, ResidentKernel.mostBlocks(multiprocessors));
    }
  }

  record Kernel(String name, int architecture, int registers) {
    /** Given out for a warp, 8 a lane at a time. */
    int blockRegisters() {
      return (registers + 7) / 8 * 8 * WARP * (KernelSource.BLOCK_THREADS / WARP);
    }
  }

  /** Those without clusters that a GPU would run. */
  private static List<Kernel> kernels(Gpu gpu) throws IOException {
    List<Kernel> all = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "cuda", "resources.md"))) {
      String[] cells = line.split(" *\\| *", -1);
      if (cells.length > 5 && cells[1].endsWith("_c1")) {
        all.add(
            new Kernel(
                cells[1],
                Integer.parseInt(cells[2].substring("sm_".length())),
                Integer.parseInt(cells[3])));
      }
    }
    int newest =
        all.stream()
            .mapToInt(Kernel::architecture)
            .filter(architecture -> architecture <= gpu.architecture)
            .max()
            .orElseThrow();
    return all.stream().filter(kernel -> kernel.architecture() == newest).toList();
  }

  /** What {@link ResidentKernel#mostBlocks} counts on. */
  @ParameterizedTest
  @EnumSource
  void aMultiprocessorHasRoomForTwoBlocksOfEachKernel(Gpu gpu) throws IOException {
    List<Kernel> kernels = kernels(gpu);
    assertFalse(kernels.size() < 5, kernels.toString());
    for (Kernel kernel : kernels) {
      assertTrue(gpu.occupancy(kernel) >= 2, gpu + " " + kernel);
      assertTrue(gpu.fits(1, kernel, kernel), gpu + " " + kernel);
    }
  }

  /** And so it ends, as its blocks wait for none that has not started. */
  @ParameterizedTest
  @EnumSource
  void someBlockOfALaunchStartsBesideAKernelThatStays(Gpu gpu) throws IOException {
    for (Kernel stays : kernels(gpu)) {
      for (Kernel launched : kernels(gpu)) {
        int inTheWay = 1;
        while (gpu.fits(inTheWay, stays, launched)) {
          inTheWay++;
        }
        int full = gpu.staying(stays) / inTheWay;
        assertTrue(
            full < gpu.multiprocessors,
            gpu + ": " + stays + " leaves no room for a block of " + launched);
      }
    }
  }

  /** One block more, and there are pairs that find none: the bound is no larger than it must be. */
  @Test
  void twoBlocksForEachMultiprocessorLeaveNoRoom() {
    Kernel largest = new Kernel("largest", 90, 128);
    int without = ResidentKernel.mostBlocks(Gpu.H100.multiprocessors) + 1;
    assertFalse(Gpu.H100.fits(2, largest, largest));
    assertTrue(without / 2 == Gpu.H100.multiprocessors);
  }

  /** Not all pairs fit whole: those would hang if blocks waited for others to start. */
  @Test
  void wholeGridsDoNotAllFit() throws IOException {
    List<String> pairs = new ArrayList<>();
    for (Gpu gpu : Gpu.values()) {
      for (Kernel stays : kernels(gpu)) {
        for (Kernel launched : kernels(gpu)) {
          int perMultiprocessor =
              (gpu.staying(stays) + gpu.multiprocessors - 1) / gpu.multiprocessors;
          int room = 0;
          while ((perMultiprocessor * stays.blockRegisters()
                      + (room + 1) * launched.blockRegisters()
                  <= REGISTERS)
              && (perMultiprocessor + room + 1) * KernelSource.BLOCK_THREADS <= gpu.threads) {
            room++;
          }
          int whole = gpu.occupancy(launched);
          if (room < whole) {
            pairs.add(
                "%s: %d blocks of %s stay, %d of %d of %s fit"
                    .formatted(
                        gpu,
                        gpu.staying(stays),
                        stays.name(),
                        room * gpu.multiprocessors,
                        whole * gpu.multiprocessors,
                        launched.name()));
          }
        }
      }
    }
    pairs.forEach(System.out::println);
    assertFalse(pairs.isEmpty());
  }
}
