package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches in page-locked memory of this host's GPUs, each check in a process of its own. */
@Tag("gpu")
class GpuSlabsTest {
  @TempDir Path temporary;

  private List<CudaDevice> devices;

  @BeforeEach
  void needsGpu() {
    devices = Gpu.requireReal("CudaDeviceTest");
  }

  @Test
  void aGpuCopiesFromAndToBatchesByItself() throws Exception {
    Gpu.passes(temporary, "slabsOfResults");
  }

  @Test
  void batchesOutliveAContext() throws Exception {
    Gpu.passes(temporary, "slabsOutliveAContext");
  }

  @Test
  void batchesArePageLockedAsLongAsTheContextIsThere() throws Exception {
    Gpu.passes(temporary, "slabsAreUnlocked");
  }

  @Test
  void aGpuCopiesFromBatchesNearAnother() throws Exception {
    assumeTrue(devices.size() > 1, "needs two GPUs");
    Gpu.passes(temporary, "slabsNearAnotherDevice");
  }
}
