package io.github.sparkgpusched.device.cuda;

/** The steps of a block, in order. All but the first and the last have a stream of their own. */
enum Stage {
  /** The owner fills page-locked memory from the job's columns. */
  HOST_FILL,
  HOST_TO_DEVICE,
  /** The kernel of a block's first call. */
  COMPUTE,
  /** The kernels of its other calls, beside that of the first. */
  SECOND_COMPUTE,
  DEVICE_TO_HOST,
  /**
   * The copy of the words that say how the block went; with it the block is done. Not on {@link
   * #DEVICE_TO_HOST}'s stream: there it could be queued behind the next block's wait for its
   * kernels, and where that block is fed only after this one is drained, each would wait for the
   * other.
   */
  DRAIN,
  /** The owner writes results into the job's columns. */
  HOST_PUBLISH;

  boolean onHost() {
    return this == HOST_FILL || this == HOST_PUBLISH;
  }
}
