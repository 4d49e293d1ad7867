package io.github.sparkgpusched.schedule;

/**
 * How a launch device's blocks get onto it: staged from the job's memory, then started; with as
 * many rows as there is memory for. Owner's thread only.
 */
final class Staging {
  private final LaunchDevice device;
  private final Flights flights;

  Staging(LaunchDevice device, Flights flights) {
    this.device = device;
    this.flights = flights;
  }

  /**
   * Launches a block, or as many of its first rows as fit. If this throws, nothing of the block is
   * on the device, and it has not ended.
   *
   * @return false if its job is over
   * @throws DeviceMemoryException if not even one row fits
   */
  boolean launch(Flights.Block block) throws Exception {
    DevicePart part = block.part;
    long mostBefore = part.mostRows;
    long from = block.claim.from();
    long rows = Math.min(block.claim.rows(), part.mostRows);
    while (true) {
      Launch launch = null;
      boolean kept = false;
      try {
        launch = stage(part, from, from + rows);
        if (launch == null) {
          return false;
        }
        launch.start();
        // Else the device was given up while the launch was stuck.
        kept = flights.launched(block, launch, from + rows, System.nanoTime());
        return true;
      } catch (DeviceMemoryException e) {
        if (rows == 1) {
          part.mostRows = mostBefore; // others hold the memory, and may give it back
          throw e;
        }
        rows = (rows + 1) / 2;
        part.mostRows = rows;
      } finally {
        if (!kept) {
          Landing.closeQuietly(device, launch);
        }
      }
    }
  }

  /** Null if the job is over. */
  private Launch stage(DevicePart part, long from, long until) throws Exception {
    if (part.launcher == null && !part.job.isStopped()) {
      // Outside of the gate: it may load kernels, which waits behind one that never ends.
      part.launcher = part.job.spec.body().launcher(device);
    }
    if (!part.job.gate.enter()) {
      return null;
    }
    try {
      return part.job.isStopped() ? null : part.launcher.stage(from, until);
    } finally {
      part.job.gate.leave();
    }
  }
}
