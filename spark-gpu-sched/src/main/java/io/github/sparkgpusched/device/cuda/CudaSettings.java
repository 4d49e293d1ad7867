package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.config.CudaBlockKeys;
import io.github.sparkgpusched.config.CudaKeys;
import io.github.sparkgpusched.config.DeviceKeys;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.RapidsPlugin;
import io.github.sparkgpusched.device.DeviceRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What is configured about CUDA devices. Immutable.
 *
 * @param devices which GPUs to use
 * @param assigned addresses of GPUs that Spark assigned to this executor; empty if none
 * @param resource the name that Spark has for them
 * @param besideRapids whether the RAPIDS Accelerator owns a GPU of this executor
 * @param pipeline how blocks follow each other on a device; null to choose by the device
 * @param blocks how blocks of threads share the rows of a launch
 * @param resident of a kernel that stays on each device
 * @param cluster blocks of threads of a cluster on GPUs that have them: 1, 2, 4 or 8
 * @param stringBytes most bytes of a string result
 * @param pinnedBytes most page-locked host memory for each device, in bytes
 * @param blockMillis most that a block may take, in milliseconds
 * @param nvrtcPath NVRTC's library, or a directory that has it; empty to look for it
 * @param cacheDirectory where compiled kernels are kept; empty for a directory of this user below
 *     java.io.tmpdir
 */
record CudaSettings(
    CudaItems devices,
    List<String> assigned,
    String resource,
    boolean besideRapids,
    PipelineDepth pipeline,
    BlockSettings blocks,
    ResidentSettings resident,
    int cluster,
    int stringBytes,
    long pinnedBytes,
    long blockMillis,
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
    Builder settings = new Builder();
    settings.devices = CudaItems.parse(request.devices(), request.names());
    settings.assigned = request.resources().getOrDefault(resource, List.of());
    settings.resource = resource;
    settings.besideRapids = RapidsPlugin.ownsGpu(request.spark()::getOrDefault);
    settings.pipeline = PipelineDepth.ofConfig(config.get(CudaKeys.PIPELINE));
    BlockSettings.Builder blocks = new BlockSettings.Builder();
    blocks.strategy = config.get(CudaBlockKeys.STRATEGY);
    blocks.form = config.get(CudaBlockKeys.FORM);
    blocks.stealThreshold = config.get(CudaBlockKeys.STEAL_THRESHOLD);
    blocks.shareThreshold = config.get(CudaBlockKeys.SHARE_THRESHOLD);
    blocks.maxStealBatch = config.get(CudaBlockKeys.MAX_STEAL_BATCH);
    blocks.neighbours = config.get(CudaBlockKeys.NEIGHBOURS);
    blocks.pollNanos = config.get(CudaBlockKeys.POLL_NANOS);
    blocks.queueCapacity = config.get(CudaBlockKeys.QUEUE_CAPACITY);
    settings.blocks = blocks.build();
    settings.resident =
        new ResidentSettings(
            config.get(CudaKeys.RESIDENT_BLOCKS), config.get(CudaKeys.RESIDENT_JOB_BYTES));
    settings.cluster = config.get(CudaKeys.CLUSTER);
    settings.stringBytes = config.get(CudaKeys.STRING_BYTES);
    settings.pinnedBytes = config.get(CudaKeys.PINNED_BYTES);
    settings.blockMillis = config.get(DeviceKeys.DEVICE_TIMEOUT_MILLIS);
    settings.nvrtcPath = config.get(CudaKeys.NVRTC_PATH);
    settings.cacheDirectory = config.get(CudaKeys.CACHE_DIR);
    return settings.build();
  }

  /**
   * How long a device that recovers waits for blocks of others that read its memory: half of what
   * one may take, as the owner is to be back within all of that.
   */
  long readNanos() {
    return TimeUnit.MILLISECONDS.toNanos(blockMillis) / 2;
  }

  /** Settings by name, which begin as the defaults, without devices. Not thread-safe. */
  static final class Builder {
    CudaItems devices;
    List<String> assigned = List.of();
    String resource = DeviceKeys.DEVICES_RESOURCE.defaultValue();
    boolean besideRapids;
    PipelineDepth pipeline;
    BlockSettings blocks = BlockSettings.DEFAULT;
    ResidentSettings resident = ResidentSettings.OFF;
    int cluster = CudaKeys.CLUSTER.defaultValue();
    int stringBytes = CudaKeys.STRING_BYTES.defaultValue();
    long pinnedBytes = CudaKeys.PINNED_BYTES.defaultValue();
    long blockMillis = DeviceKeys.DEVICE_TIMEOUT_MILLIS.defaultValue();
    String nvrtcPath = CudaKeys.NVRTC_PATH.defaultValue();
    String cacheDirectory = CudaKeys.CACHE_DIR.defaultValue();

    CudaSettings build() {
      return new CudaSettings(
          devices,
          assigned,
          resource,
          besideRapids,
          pipeline,
          blocks,
          resident,
          cluster,
          stringBytes,
          pinnedBytes,
          blockMillis,
          nvrtcPath,
          cacheDirectory);
    }
  }
}
