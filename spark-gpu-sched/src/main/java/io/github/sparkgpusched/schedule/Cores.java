package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.load.LoadTable;
import java.util.List;

/**
 * The devices that threads go by. Thread-safe.
 *
 * @param seats which thread goes by which
 * @param devices a device for each core
 * @param table their load entries come first in it, in the same order
 * @param targetBlockNanos about how long a block is to take
 */
record Cores(
    DeviceSeats seats, List<? extends Device> devices, LoadTable table, long targetBlockNanos) {
  int count() {
    return devices.size();
  }
}
