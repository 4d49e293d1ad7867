package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * What an executor reports to the driver: the state of its devices at one time. Immutable.
 *
 * @param executorId Spark's id of the executor
 * @param sequence number of the report, from 0 up; of two reports the later one holds all that the
 *     earlier one does
 * @param timeMillis when it was made, by the executor's clock, in milliseconds since 1970
 * @param devices the executor's devices, in their order
 */
public record ExecutorLoad(
    String executorId, long sequence, long timeMillis, List<DeviceLoad> devices)
    implements Serializable {

  public ExecutorLoad {
    Objects.requireNonNull(executorId, "executorId");
    devices = List.copyOf(devices);
  }
}
