package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import java.util.ArrayList;
import java.util.List;

/** What an evaluation has allocated and must give back, however it ends. One thread's. */
final class Owned implements AutoCloseable {
  private final List<AutoCloseable> all = new ArrayList<>();

  /**
   * Device memory, by cuDF's memory manager.
   *
   * @param bytes if 0, nothing is allocated, and this is null
   */
  DeviceMemoryBuffer onDevice(long bytes) {
    return bytes == 0 ? null : add(DeviceMemoryBuffer.allocate(bytes));
  }

  /** Host memory. */
  HostMemoryBuffer onHost(long bytes) {
    return add(HostMemoryBuffer.allocate(bytes));
  }

  /** Closes it in the end, too. */
  <T extends AutoCloseable> T add(T resource) {
    all.add(resource);
    return resource;
  }

  /** Is another's from now on: a column's, which closes it even if it cannot be made. */
  DeviceMemoryBuffer handOver(DeviceMemoryBuffer buffer) {
    all.remove(buffer);
    return buffer;
  }

  /** Closes all, the last first, even if one of them fails. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (int i = all.size() - 1; i >= 0; i--) {
      try {
        all.get(i).close();
      } catch (Exception e) {
        RuntimeException unchecked =
            e instanceof RuntimeException r ? r : new IllegalStateException(e);
        if (failure == null) {
          failure = unchecked;
        } else {
          failure.addSuppressed(unchecked);
        }
      }
    }
    all.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
