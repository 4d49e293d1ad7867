package io.github.sparkgpusched.device.cuda;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this host's GPUs make of kernels, each check in a process of its own. */
@Tag("gpu")
class GpuKernelsTest {
  @TempDir Path temporary;

  @BeforeEach
  void needsGpu() {
    Gpu.requireReal("GpuScenariosTest");
  }

  @Test
  void functionsOfStrictMathGiveItsBytes() throws Exception {
    Gpu.passes(temporary, "strictMath");
  }

  @Test
  void rootsAndQuotientsOfWhatIsNotExactAreJavas() throws Exception {
    Gpu.passes(temporary, "notExact");
  }

  @Test
  void aFullGridEndsBesideAKernelThatStays() throws Exception {
    Gpu.passes(temporary, "residentBesideAFullGrid");
  }

  @Test
  void blocksOfThreadsFitAsTheModelHasIt() throws Exception {
    Gpu.passes(temporary, "occupancy");
  }

  @Test
  void aColumnThatTwoCallsReadIsCopiedOnce() throws Exception {
    Gpu.passes(temporary, "sharedColumns");
  }

  @Test
  void jobsOfOneLaunchHaveEachTheirResults() throws Exception {
    Gpu.passes(temporary, "jobsInOneLaunch");
  }

  @Test
  void aJobOfALaunchMayBeOver() throws Exception {
    Gpu.passes(temporary, "oneJobOfALaunchIsOver");
  }

  @Test
  void slotsOfBlocksThatWereGivenUpAreUsedAfterThem() throws Exception {
    Gpu.passes(temporary, "abandoned");
  }

  @Test
  void thePtxOfTheJarWhereThereIsSass() throws Exception {
    Gpu.passes(temporary, "ptxInPlaceOfSass");
  }
}
