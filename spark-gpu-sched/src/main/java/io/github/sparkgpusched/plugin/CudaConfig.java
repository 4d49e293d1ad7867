package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.device.cuda.BlockSettings;
import io.github.sparkgpusched.device.cuda.CudaSettings;
import io.github.sparkgpusched.device.cuda.PipelineDepth;
import io.github.sparkgpusched.device.cuda.ResidentSettings;
import java.util.List;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;

/** What the configuration, and Spark, say about an executor's GPUs. */
final class CudaConfig {
  private CudaConfig() {}

  /**
   * The settings of CUDA devices.
   *
   * @param resources those that Spark assigned to the executor; none in local mode
   */
  static CudaSettings of(GpuSchedConfig config, Map<String, ResourceInformation> resources) {
    String resource = config.get(GpuSchedConfig.DEVICES_RESOURCE);
    ResourceInformation assigned = resources.get(resource);
    return new CudaSettings(
        config.get(GpuSchedConfig.DEVICES),
        assigned == null ? List.of() : List.of(assigned.addresses()),
        resource,
        PipelineDepth.ofConfig(config.get(GpuSchedConfig.CUDA_PIPELINE)),
        new BlockSettings(
            config.get(GpuSchedConfig.BLOCK_STRATEGY),
            config.get(GpuSchedConfig.BLOCK_STEAL_THRESHOLD),
            config.get(GpuSchedConfig.BLOCK_SHARE_THRESHOLD),
            config.get(GpuSchedConfig.BLOCK_MAX_STEAL_BATCH),
            config.get(GpuSchedConfig.BLOCK_NEIGHBOURS),
            config.get(GpuSchedConfig.BLOCK_POLL_NANOS),
            config.get(GpuSchedConfig.BLOCK_QUEUE_CAPACITY)),
        new ResidentSettings(
            config.get(GpuSchedConfig.CUDA_RESIDENT_BLOCKS),
            config.get(GpuSchedConfig.CUDA_RESIDENT_JOB_BYTES)),
        config.get(GpuSchedConfig.CUDA_CLUSTER),
        config.get(GpuSchedConfig.CUDA_STRING_BYTES),
        config.get(GpuSchedConfig.CUDA_PINNED_BYTES),
        config.get(GpuSchedConfig.CUDA_NVRTC_PATH),
        config.get(GpuSchedConfig.CUDA_CACHE_DIR));
  }
}
