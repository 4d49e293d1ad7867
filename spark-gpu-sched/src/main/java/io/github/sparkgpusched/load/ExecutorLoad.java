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
 *     earlier one does, but for the spans
 * @param timeMillis when it was made, by the executor's clock, in milliseconds since 1970
 * @param devices the executor's devices, in their order
 * @param udfs what they computed, by UDF
 * @param wasted what they computed for attempts that failed or were killed
 * @param spans what they computed since the report before
 * @param missedBlocks blocks, since the executor began, that are in no report's spans
 */
public record ExecutorLoad(
    String executorId,
    long sequence,
    long timeMillis,
    List<DeviceLoad> devices,
    List<UdfLoad> udfs,
    Waste wasted,
    List<BlockSpan> spans,
    long missedBlocks)
    implements Serializable {

  public ExecutorLoad {
    Objects.requireNonNull(executorId, "executorId");
    devices = List.copyOf(devices);
    udfs = List.copyOf(udfs);
    spans = List.copyOf(spans);
  }

  /** The same without spans, and with what is now known to be wasted. */
  ExecutorLoad asWrittenDown(Waste nowWasted) {
    return new ExecutorLoad(
        executorId, sequence, timeMillis, devices, udfs, nowWasted, List.of(), missedBlocks);
  }

  /** True if this report has these counts, idle time apart. */
  public boolean hasCountsOf(List<DeviceLoad> otherDevices, Waste otherWasted) {
    if (devices.size() != otherDevices.size() || !wasted.equals(otherWasted)) {
      return false;
    }
    for (int i = 0; i < devices.size(); i++) {
      if (!devices.get(i).isSameButIdle(otherDevices.get(i))) {
        return false;
      }
    }
    return true;
  }
}
