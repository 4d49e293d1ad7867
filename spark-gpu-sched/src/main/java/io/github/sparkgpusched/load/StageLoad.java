package io.github.sparkgpusched.load;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * What devices computed for a stage attempt. Immutable. Made in {@code StageTable} alone, from
 * fields of these names.
 *
 * @param stageId Spark's id of the stage
 * @param attempt number of the attempt, from 0
 * @param name the stage's name, which users may have chosen
 * @param tasks successful tasks that had rows computed
 * @param work what was computed for them and for those that run; in JSON its components stand
 *     beside the others
 * @param devices devices that took part in the successful ones
 * @param completed whether the stage has ended, well or not
 * @param failure why it failed, in one line; null if it did not, or not yet
 * @param allTasks tasks of the attempt, whether they have rows computed or not; 0 where it is not
 *     known
 * @param runningTasks tasks that have rows computed now
 */
public record StageLoad(
    int stageId,
    int attempt,
    String name,
    long tasks,
    Work work,
    int devices,
    boolean completed,
    String failure,
    int allTasks,
    long runningTasks) {

  public StageLoad {
    Objects.requireNonNull(name, "name");
  }

  @Override
  @JsonUnwrapped
  public Work work() {
    return work;
  }

  /**
   * What {@link #work} is written as. Jackson before 2.19, which Spark has up to 4.0, reads no
   * record with an unwrapped component, so the accessor is annotated and this reads.
   */
  @JsonCreator
  static StageLoad read(
      @JsonProperty("stageId") int stageId,
      @JsonProperty("attempt") int attempt,
      @JsonProperty("name") String name,
      @JsonProperty("tasks") long tasks,
      @JsonProperty("rows") long rows,
      @JsonProperty("blocks") long blocks,
      @JsonProperty("stolenBlocks") long stolenBlocks,
      @JsonProperty("busyNanos") long busyNanos,
      @JsonProperty("devices") int devices,
      @JsonProperty("completed") boolean completed,
      @JsonProperty("failure") String failure,
      @JsonProperty("allTasks") int allTasks,
      @JsonProperty("runningTasks") long runningTasks) {
    return new StageLoad(
        stageId,
        attempt,
        name,
        tasks,
        new Work(rows, blocks, stolenBlocks, busyNanos),
        devices,
        completed,
        failure,
        allTasks,
        runningTasks);
  }

  /** {@code running}, {@code completed} or {@code failed}. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public String state() {
    return failure != null ? "failed" : completed ? "completed" : "running";
  }
}
