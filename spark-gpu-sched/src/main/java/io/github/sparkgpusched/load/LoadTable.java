package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import java.util.List;
import java.util.Locale;

/** The entries of an executor's devices, by device index. Immutable itself; its entries count. */
public final class LoadTable {
  private final List<LoadEntry> entries;

  /** A table of these entries, in the order of the devices. */
  public LoadTable(List<LoadEntry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** A table of new entries for devices that each hold one block at a time. */
  public static LoadTable ofNames(List<String> devices) {
    return new LoadTable(devices.stream().map(name -> new LoadEntry(name, 1)).toList());
  }

  /** Number of devices. */
  public int size() {
    return entries.size();
  }

  /**
   * The entry of a device.
   *
   * @throws IndexOutOfBoundsException if there is no such device
   */
  public LoadEntry entry(int device) {
    return entries.get(device);
  }

  /** A snapshot of every entry, in the order of the devices, taken one after the other. */
  public List<DeviceLoad> snapshot() {
    return entries.stream().map(LoadEntry::snapshot).toList();
  }

  /**
   * The table as one line for a log: what each device did, and nothing of those that did nothing.
   */
  @Override
  public String toString() {
    return render(snapshot());
  }

  /** A snapshot as one line for a log; devices that have neither rows nor failures are left out. */
  public static String render(List<DeviceLoad> loads) {
    StringBuilder line = new StringBuilder();
    int silent = 0;
    for (DeviceLoad load : loads) {
      if (load.blocks() == 0 && load.failures() == 0) {
        silent++;
        continue;
      }
      line.append(line.isEmpty() ? "" : "; ")
          .append(load.device())
          .append(" rows=")
          .append(load.rows())
          .append(" blocks=")
          .append(load.blocks())
          .append(" steals=")
          .append(load.steals())
          .append('/')
          .append(load.stealRequests())
          .append(" failures=")
          .append(load.failures())
          .append(" busy=")
          .append(String.format(Locale.ROOT, "%.3fs", load.busyNanos() / 1e9));
    }
    if (silent > 0) {
      line.append(line.isEmpty() ? "" : "; ").append(silent).append(" without work");
    }
    return line.toString();
  }
}
