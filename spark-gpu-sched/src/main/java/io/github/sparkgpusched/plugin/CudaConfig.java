package io.github.sparkgpusched.plugin;

import io.github.sparkgpusched.config.CudaBlockKeys;
import io.github.sparkgpusched.config.CudaKeys;
import io.github.sparkgpusched.config.DeviceKeys;
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
    String resource = config.get(DeviceKeys.DEVICES_RESOURCE);
    ResourceInformation assigned = resources.get(resource);
    return new CudaSettings(
        config.get(DeviceKeys.DEVICES),
        assigned == null ? List.of() : List.of(assigned.addresses()),
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
