package io.github.sparkgpusched.device.cuda;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What NVRTC is to make for a GPU.
 *
 * @param architecture compute capability to compile for, such as 90: one that this NVRTC knows, at
 *     or below the GPU's
 * @param sass true for SASS, which drivers of the same CUDA major version load even if they are
 *     older than NVRTC; false for PTX, which they do not, and which newer GPUs load too
 */
record NvrtcTarget(int architecture, boolean sass) {
  private static final Logger LOG = LoggerFactory.getLogger(NvrtcTarget.class);

  /**
   * Chooses.
   *
   * @param supported compute capabilities that NVRTC compiles for
   * @param nvrtcVersion such as 12040 for 12.4
   * @param driverVersion likewise
   * @param gpu its compute capability
   * @throws IllegalStateException if this NVRTC makes nothing that the GPU or its driver can load;
   *     the message is the reason without its subject, the compiler
   */
  static NvrtcTarget choose(List<Integer> supported, int nvrtcVersion, int driverVersion, int gpu) {
    int architecture =
        supported.stream()
            .mapToInt(Integer::intValue)
            .filter(known -> known <= gpu)
            .max()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "compiles for compute_"
                            + supported.stream().mapToInt(Integer::intValue).min().orElse(0)
                            + " and newer, and this GPU is compute_"
                            + gpu
                            + ": set spark.gpusched.cuda.nvrtcPath to an NVRTC of an older CUDA"));
    if (nvrtcVersion <= driverVersion) {
      return new NvrtcTarget(architecture, false);
    }
    if (nvrtcVersion / 1000 == driverVersion / 1000 && architecture == gpu) {
      return new NvrtcTarget(architecture, true);
    }
    throw new IllegalStateException(
        "is newer than the driver, which is of CUDA "
            + driverVersion / 1000
            + "."
            + driverVersion % 1000 / 10
            + " and cannot load what it makes: update NVIDIA's driver, or set"
            + " spark.gpusched.cuda.nvrtcPath to an older NVRTC");
  }

  /** What a compiler can do. */
  interface Compiler {
    /** Such as 12040 for 12.4. */
    int version();

    /** Compute capabilities that it compiles for. */
    List<Integer> architectures();
  }

  /**
   * The best of the compilers that are there: the first that makes PTX for the GPU and its driver,
   * or else the first that makes SASS, or else the first, which can say why it makes nothing.
   *
   * @param found none is asked for behind the first that makes PTX
   */
  static <C extends Compiler> Optional<C> best(Iterator<C> found, int driverVersion, int gpu) {
    C first = null;
    C withSass = null;
    while (found.hasNext()) {
      C compiler = found.next();
      first = first == null ? compiler : first;
      try {
        NvrtcTarget target =
            choose(compiler.architectures(), compiler.version(), driverVersion, gpu);
        if (!target.sass()) {
          return Optional.of(compiler);
        }
        withSass = withSass == null ? compiler : withSass;
      } catch (IllegalStateException e) {
        LOG.debug("{} {}", compiler, e.getMessage());
      }
    }
    return Optional.ofNullable(withSass == null ? first : withSass);
  }

  /** The compiler's option. */
  String option() {
    return "--gpu-architecture=" + (sass ? "sm_" : "compute_") + architecture;
  }
}
