package io.github.sparkgpusched.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.sparkgpusched.api.DeviceLoad;
import java.util.List;
import java.util.Locale;

/**
 * All that the driver knows of its application's load, at one time: what pages and JSON are made
 * of. Immutable.
 *
 * @param timeMillis when, in milliseconds since 1970
 * @param axisStartMillis where the time axis of utilisation begins, likewise; -1 if nothing was
 *     reported yet
 * @param bucketMillis length of its intervals, in milliseconds
 * @param devices devices of all executors
 * @param spans blocks that devices computed, oldest first
 * @param missedBlocks blocks that are in no span: devices were faster than their reports, or in the
 *     history server, the event log has a sample of each stage
 * @param droppedSpans spans that were forgotten because there were too many
 * @param droppedBlocks blocks in these
 * @param udfs what was computed by UDF
 * @param fallbacks calls that stay row by row
 * @param queries load of the queries, oldest first
 * @param stages load of the stages, oldest first
 * @param events what happened to devices, oldest first
 * @param wasted work for attempts that failed or were killed
 * @param total work of all devices, those of forgotten executors too
 * @param forgottenExecutors executors that have ended and are no longer among the devices
 */
public record LoadView(
    long timeMillis,
    long axisStartMillis,
    long bucketMillis,
    List<Device> devices,
    List<Span> spans,
    long missedBlocks,
    long droppedSpans,
    long droppedBlocks,
    List<UdfLoad> udfs,
    List<Fallback> fallbacks,
    List<QueryLoad> queries,
    List<StageLoad> stages,
    List<DeviceEvent> events,
    Waste wasted,
    Totals total,
    int forgottenExecutors) {

  public LoadView {
    queries = queries == null ? List.of() : queries; // a history server's store of before they were
  }

  /** How many devices running executors have; a core that one borrows is another one's. */
  public long runningDevices() {
    return devices.stream().filter(d -> !d.ended() && !d.load().borrowed()).count();
  }

  /** Blocks of all UDFs that ended in an error, and tasks that did so at a row where it was. */
  public long udfFailures() {
    return udfs.stream().mapToLong(UdfLoad::failures).sum();
  }

  /**
   * A device.
   *
   * @param executorId Spark's id of the executor
   * @param load what it did, as last reported
   * @param ageMillis how old that report is; null if the application has ended
   * @param ended true if the executor has ended
   * @param processors that the executor's JVM has; 0 if that is not known
   * @param shares whether the executor may have rows computed by other executors
   * @param utilisation busy time in each interval of the axis, in percent
   */
  public record Device(
      String executorId,
      DeviceLoad load,
      Long ageMillis,
      boolean ended,
      int processors,
      boolean shares,
      List<Integer> utilisation) {

    /** The device's state in one word; {@code ended} if its executor has. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public String state() {
      return ended ? "ended" : stateName(load);
    }
  }

  /** Blocks that a device of an executor computed. */
  public record Span(String executorId, BlockSpan span) {}

  /** Why calls of a UDF stay row by row, and in how many plans. */
  public record Fallback(String udf, String reason, long plans) {}

  /** The parts of a view, put together by name. Not thread-safe. */
  static final class Builder {
    long timeMillis;
    long axisStartMillis;
    long bucketMillis;
    List<Device> devices;
    List<Span> spans;
    long missedBlocks;
    long droppedSpans;
    long droppedBlocks;
    List<UdfLoad> udfs;
    List<Fallback> fallbacks;
    List<QueryLoad> queries;
    List<StageLoad> stages;
    List<DeviceEvent> events;
    Waste wasted;
    Totals total;
    int forgottenExecutors;

    LoadView build() {
      return new LoadView(
          timeMillis,
          axisStartMillis,
          bucketMillis,
          devices,
          spans,
          missedBlocks,
          droppedSpans,
          droppedBlocks,
          udfs,
          fallbacks,
          queries,
          stages,
          events,
          wasted,
          total,
          forgottenExecutors);
    }
  }

  /** A device's state in one word. */
  static String stateName(DeviceLoad device) {
    return device.state().name().toLowerCase(Locale.ROOT);
  }
}
