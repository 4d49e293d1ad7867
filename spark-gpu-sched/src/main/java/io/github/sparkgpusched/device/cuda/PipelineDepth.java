package io.github.sparkgpusched.device.cuda;

import java.util.Locale;

/** How many launches a device has in flight, and when their results are taken. Chosen once. */
enum PipelineDepth {
  /**
   * Two slots: a launch's copies overlap with the kernels of the other; a slot is drained when it
   * is about to be filled again.
   */
  PIPELINED(2),

  /** One slot: a launch is drained before the next is kicked off. For little device memory. */
  DRAIN_BEFORE_KICK(1),

  /**
   * One slot: the owner waits for each launch as soon as it is kicked off. For devices that cannot
   * copy beside a kernel, and to find an error at the block that caused it: each goes alone then.
   */
  DRAIN_AFTER_KICK(1);

  /** A device with less memory than this has one slot. */
  private static final long TWO_SLOTS_BYTES = 1L << 30;

  final int slots;

  PipelineDepth(int slots) {
    this.slots = slots;
  }

  /** A depth and why it was chosen. */
  record Choice(PipelineDepth depth, String reason) {
    @Override
    public String toString() {
      return depth + " (" + reason + ")";
    }
  }

  /**
   * Chooses a device's depth.
   *
   * @param configured what the configuration says, or null
   * @param launchBlocking the value of CUDA_LAUNCH_BLOCKING, or null
   */
  static Choice choose(PipelineDepth configured, GpuFacts facts, String launchBlocking) {
    if (configured != null) {
      return new Choice(configured, "spark.gpusched.cuda.pipeline");
    } else if ("1".equals(launchBlocking)) {
      return new Choice(DRAIN_AFTER_KICK, "CUDA_LAUNCH_BLOCKING=1: each launch waits anyway");
    } else if (facts.copyEngines() == 0) {
      return new Choice(DRAIN_AFTER_KICK, "the device has no engine that copies beside a kernel");
    } else if (facts.memoryBytes() < TWO_SLOTS_BYTES) {
      return new Choice(
          DRAIN_BEFORE_KICK, "the device has only " + (facts.memoryBytes() >> 20) + " MiB");
    }
    return new Choice(
        PIPELINED,
        "copies overlap with kernels"
            + (facts.copyEngines() == 1 ? ", in one direction at a time" : ""));
  }

  /**
   * Reads the configured value.
   *
   * @return null for {@code auto}
   */
  public static PipelineDepth ofConfig(String text) {
    return text.equals("auto") ? null : valueOf(text.replace('-', '_').toUpperCase(Locale.ROOT));
  }
}
