package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.HashMap;
import java.util.Map;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;

/** How many blocks of threads of a kernel a device has room for. Owner's thread only. */
final class Occupancy {
  private final GpuFacts facts;
  private final CudaModules modules;
  private final DriverLibrary driver;

  /** Of images that were asked for, by their keys: each job asks again. */
  private final Map<String, Integer> known = new HashMap<>();

  Occupancy(GpuFacts facts, CudaModules modules, DriverLibrary driver) {
    this.facts = facts;
    this.modules = modules;
    this.driver = driver;
  }

  /**
   * Blocks of threads of a kernel that the device can run at once, if it runs nothing else: more
   * would only start after others of them have ended. Where fewer find room, those that have
   * started compute the rows of the others.
   *
   * @param function the image's
   * @return a multiple of its cluster's blocks
   */
  int mostBlocks(CUfunction function, KernelImage image)
      throws DeviceFailedException, JobRefusedException {
    Integer most = known.get(image.key());
    if (most == null) {
      int cluster = image.cluster();
      most = cluster > 1 ? clusters(function, cluster) * cluster : single(function);
      known.put(image.key(), most);
    }
    return most;
  }

  private int single(CUfunction function) throws DeviceFailedException, JobRefusedException {
    int[] blocks = new int[1];
    modules.check(
        JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            blocks, function, KernelSource.BLOCK_THREADS, 0),
        function,
        "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (blocks[0] == 0) {
      throw modules.refuse(
          function,
          "a kernel needs more registers or shared memory than the GPU has for a block of "
              + KernelSource.BLOCK_THREADS
              + " threads: make the CUDA function smaller");
    }
    return blocks[0] * Math.max(1, facts.multiprocessors());
  }

  /** Clusters that the device can run at once: the blocks of one are on neighbouring processors. */
  private int clusters(CUfunction function, int cluster)
      throws DeviceFailedException, JobRefusedException {
    int[] clusters = new int[1];
    modules.check(
        driver.mostClusters(clusters, function, cluster), function, "cuOccupancyMaxActiveClusters");
    if (clusters[0] == 0) {
      throw modules.refuse(
          function,
          "the GPU cannot run a cluster of "
              + cluster
              + " blocks of threads: set spark.gpusched.cuda.cluster to less");
    }
    return clusters[0];
  }
}
