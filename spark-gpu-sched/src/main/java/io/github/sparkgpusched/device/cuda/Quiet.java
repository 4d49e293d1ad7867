package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;

/** Called before a call of the driver that may wait for kernels that run. Owner's thread only. */
@FunctionalInterface
interface Quiet {
  /** Sees to it that no kernel runs that would not end by itself. */
  void ensure() throws DeviceFailedException;
}
