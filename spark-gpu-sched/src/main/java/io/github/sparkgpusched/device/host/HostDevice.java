package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.schedule.Device;

/**
 * One core of the executor. It owns no thread and no memory: it is the name under which a thread,
 * the task's own or a helper, computes and is counted. Immutable.
 */
public final class HostDevice implements Device {
  private final String name;

  /**
   * The device of a core.
   *
   * @param index number of the core among the executor's, from 0
   */
  public HostDevice(int index) {
    if (index < 0) {
      throw new IllegalArgumentException("a host device's index is at least 0, not " + index);
    }
    this.name = "host:" + index;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }
}
