package io.github.sparkgpusched.device.cuda;

/**
 * Of a kernel that stays on a device and is fed through a ring. Immutable.
 *
 * @param blocks blocks of threads that it has at most; 0 for no such kernel
 * @param jobBytes most bytes of a job: of its arguments and results
 */
record ResidentSettings(int blocks, long jobBytes) {
  /** No such kernel. */
  public static final ResidentSettings OFF = new ResidentSettings(0, 64 << 10);

  boolean isOn() {
    return blocks > 0;
  }
}
