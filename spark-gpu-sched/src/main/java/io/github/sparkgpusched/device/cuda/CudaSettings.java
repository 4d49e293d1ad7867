package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.config.DeviceList;
import java.util.List;

/**
 * What is configured about CUDA devices. Immutable.
 *
 * @param devices which devices to use
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
public record CudaSettings(
    DeviceList devices,
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
}
