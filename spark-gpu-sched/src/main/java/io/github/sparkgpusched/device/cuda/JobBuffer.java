package io.github.sparkgpusched.device.cuda;

/**
 * A place in mapped memory for one job of a kernel that stays: its arguments and results. Held by a
 * block from {@link #hold} to {@link #letGo}; offered once to the kernel in between, which may be
 * at work in it after the block has let it go. Owner's thread only.
 */
final class JobBuffer {
  private final long address;
  private boolean held;
  private boolean offered;
  private long run;
  private long job;

  JobBuffer(long address) {
    this.address = address;
  }

  /** In host memory. */
  long address() {
    return address;
  }

  void hold() {
    held = true;
    offered = false;
  }

  void letGo() {
    held = false;
  }

  /** It is a job of a run now. */
  void offer(long toRun, long asJob) {
    offered = true;
    run = toRun;
    job = asJob;
  }

  boolean isHeld() {
    return held;
  }

  boolean isOffered() {
    return offered;
  }

  /** The run that it was offered to. */
  long run() {
    return run;
  }

  /** The job's number in that run. */
  long job() {
    return job;
  }
}
