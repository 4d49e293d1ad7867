package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.config.CudaBlockKeys;
import io.github.sparkgpusched.config.CudaKeys;
import io.github.sparkgpusched.config.DeviceKeys;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.device.DeviceRequest;
import java.util.List;

/**
 * What is configured about CUDA devices. Immutable.
 *
 * @param devices which GPUs to use
 * @param assigned addresses of GPUs that Spark assigned to this executor; empty if none
 * @param resource the name that Spark has for them
 * @param pipeline how blocks follow each other on a device; null to choose by the device
 * @param blocks how blocks of threads share the rows of a launch
 * @param resident of a kernel that stays on each device
 * @param cluster blocks of threads of a cluster on GPUs that have them: 1, 2, 4 or 8
 * @param stringBytes most bytes of a string result
 * @param pinnedBytes most page-locked host memory for each device, in bytes
 * @param nvrtcPath NVRTC's library, or a directory that has it; empty to look for it
 * @param cacheDirectory where compiled kernels are kept; empty for a directory of this user below
 *     java.io.tmpdir
 */
record CudaSettings(
    CudaItems devices,
    List<String> assigned,
    String resource,
    PipelineDepth pipeline,
    BlockSettings blocks,
    ResidentSettings resident,
    int cluster,
    int stringBytes,
    long pinnedBytes,
    String nvrtcPath,
    String cacheDirectory) {
  public CudaSettings {
    assigned = List.copyOf(assigned);
  }

  /**
   * What the configuration, and Spark, say about an executor's GPUs.
   *
   * @throws IllegalArgumentException if an item can name no GPU
   */
  static CudaSettings of(DeviceRequest request) {
    GpuSchedConfig config = request.config();
    String resource = config.get(DeviceKeys.DEVICES_RESOURCE);
    return new CudaSettings(
        CudaItems.parse(request.devices(), request.names()),
        request.resources().getOrDefault(resource, List.of()),
        resource,
        PipelineDepth.ofConfig(config.get(CudaKeys.PIPELINE)),
        new BlockSettings(
            config.get(CudaBlockKeys.STRATEGY),
            config.get(CudaBlockKeys.STEAL_THRESHOLD),
            config.get(CudaBlockKeys.SHARE_THRESHOLD),
            config.get(CudaBlockKeys.MAX_STEAL_BATCH),
            config.get(CudaBlockKeys.NEIGHBOURS),
            config.get(CudaBlockKeys.POLL_NANOS),
            config.get(CudaBlockKeys.QUEUE_CAPACITY)),
        new ResidentSettings(
            config.get(CudaKeys.RESIDENT_BLOCKS), config.get(CudaKeys.RESIDENT_JOB_BYTES)),
        config.get(CudaKeys.CLUSTER),
        config.get(CudaKeys.STRING_BYTES),
        config.get(CudaKeys.PINNED_BYTES),
        config.get(CudaKeys.NVRTC_PATH),
        config.get(CudaKeys.CACHE_DIR));
  }
}
