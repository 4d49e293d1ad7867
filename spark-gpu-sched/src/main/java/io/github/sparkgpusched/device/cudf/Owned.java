package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  /**
   * A column of fixed width, or of strings, of buffers that are owned here and are its from now on.
   *
   * @param data null if it has no bytes
   * @param valid null if no row is null
   * @param offsets of strings; else null
   */
  ColumnVector column(
      DType type,
      long rows,
      long nulls,
      DeviceMemoryBuffer data,
      DeviceMemoryBuffer valid,
      DeviceMemoryBuffer offsets) {
    handOver(data);
    handOver(valid);
    handOver(offsets);
    try {
      return new ColumnVector(type, rows, Optional.of(nulls), data, valid, offsets);
    } catch (RuntimeException | Error e) {
      // cuDF closes what its column has got already, and forgets the rest.
      closeIfOpen(data);
      closeIfOpen(valid);
      closeIfOpen(offsets);
      throw e;
    }
  }

  private void handOver(DeviceMemoryBuffer buffer) {
    all.remove(buffer);
  }

  private static void closeIfOpen(DeviceMemoryBuffer buffer) {
    if (buffer != null && buffer.getRefCount() > 0) {
      buffer.close();
    }
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
