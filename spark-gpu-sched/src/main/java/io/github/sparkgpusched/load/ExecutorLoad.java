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
 *     earlier one does, but for spans and failures
 * @param timeMillis when it was made, by the executor's clock, in milliseconds since 1970
 * @param processors that its JVM has; 0 if that is not known
 * @param shares whether it may have rows computed by other executors
 * @param devices the executor's devices, in their order
 * @param udfs what they computed, by UDF
 * @param wasted what they computed for attempts that failed or were killed
 * @param running what they computed so far for each task that runs
 * @param failures blocks that ended in an error since the report before, the first of each device
 * @param failedTasks task attempts that failed or were killed since the report before, with what
 *     had been computed for them
 * @param spans what they computed since the report before
 * @param missedBlocks blocks, since the executor began, that are in no report's spans
 */
public record ExecutorLoad(
    String executorId,
    long sequence,
    long timeMillis,
    int processors,
    boolean shares,
    List<DeviceLoad> devices,
    List<UdfLoad> udfs,
    Waste wasted,
    List<TaskRun> running,
    List<BlockFailure> failures,
    List<TaskRun> failedTasks,
    List<BlockSpan> spans,
    long missedBlocks)
    implements Serializable {

  public ExecutorLoad {
    Objects.requireNonNull(executorId, "executorId");
    devices = List.copyOf(devices);
    udfs = List.copyOf(udfs);
    running = running == null ? List.of() : List.copyOf(running); // logs of before it was reported
    failures = failures == null ? List.of() : List.copyOf(failures);
    failedTasks = failedTasks == null ? List.of() : List.copyOf(failedTasks);
    spans = List.copyOf(spans);
  }

  /**
   * The same without what is of a moment, with the devices by now, and with what is now known to be
   * wasted.
   */
  ExecutorLoad asWrittenDown(List<DeviceLoad> devicesNow, Waste nowWasted) {
    return toBuilder()
        .devices(devicesNow)
        .wasted(nowWasted)
        .running(List.of())
        .failures(List.of())
        .failedTasks(List.of())
        .spans(List.of())
        .build();
  }

  /** The same with all times later by so many milliseconds. */
  public ExecutorLoad later(long millis) {
    return toBuilder()
        .timeMillis(timeMillis + millis)
        .spans(spans.stream().map(span -> span.later(millis * 1000)).toList())
        .build();
  }

  /** True if this report has the counts that the table has now, idle time apart. */
  public boolean hasCountsOf(LoadTable table) {
    List<DeviceLoad> otherDevices = table.snapshot();
    if (devices.size() != otherDevices.size()
        || table.hasFailuresInPlace()
        || !wasted.equals(table.wasted())
        || !running.equals(table.running())) {
      return false;
    }
    for (int i = 0; i < devices.size(); i++) {
      if (!devices.get(i).isSameButIdle(otherDevices.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * A report by name: of an executor whose devices have done nothing, but for what is then said.
   */
  public static Builder builder(String executorId) {
    return new Builder(executorId);
  }

  private Builder toBuilder() {
    return new Builder(executorId)
        .sequence(sequence)
        .timeMillis(timeMillis)
        .processors(processors)
        .shares(shares)
        .devices(devices)
        .udfs(udfs)
        .wasted(wasted)
        .running(running)
        .failures(failures)
        .failedTasks(failedTasks)
        .spans(spans)
        .missedBlocks(missedBlocks);
  }

  /** Makes an {@link ExecutorLoad}; each method sets the component of its name. Not thread-safe. */
  public static final class Builder {
    private final String executorId;
    private long sequence;
    private long timeMillis;
    private int processors;
    private boolean shares;
    private List<DeviceLoad> devices = List.of();
    private List<UdfLoad> udfs = List.of();
    private Waste wasted = Waste.NONE;
    private List<TaskRun> running = List.of();
    private List<BlockFailure> failures = List.of();
    private List<TaskRun> failedTasks = List.of();
    private List<BlockSpan> spans = List.of();
    private long missedBlocks;

    private Builder(String executorId) {
      this.executorId = executorId;
    }

    public Builder sequence(long value) {
      sequence = value;
      return this;
    }

    public Builder timeMillis(long value) {
      timeMillis = value;
      return this;
    }

    public Builder processors(int value) {
      processors = value;
      return this;
    }

    public Builder shares(boolean value) {
      shares = value;
      return this;
    }

    public Builder devices(List<DeviceLoad> value) {
      devices = value;
      return this;
    }

    public Builder udfs(List<UdfLoad> value) {
      udfs = value;
      return this;
    }

    public Builder wasted(Waste value) {
      wasted = value;
      return this;
    }

    public Builder running(List<TaskRun> value) {
      running = value;
      return this;
    }

    public Builder failures(List<BlockFailure> value) {
      failures = value;
      return this;
    }

    public Builder failedTasks(List<TaskRun> value) {
      failedTasks = value;
      return this;
    }

    public Builder spans(List<BlockSpan> value) {
      spans = value;
      return this;
    }

    public Builder missedBlocks(long value) {
      missedBlocks = value;
      return this;
    }

    /** The report. */
    public ExecutorLoad build() {
      return new ExecutorLoad(
          executorId,
          sequence,
          timeMillis,
          processors,
          shares,
          devices,
          udfs,
          wasted,
          running,
          failures,
          failedTasks,
          spans,
          missedBlocks);
    }
  }
}
