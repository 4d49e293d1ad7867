package io.github.sparkgpusched.load;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Objects;

/**
 * What devices computed for a query. Immutable.
 *
 * @param id Spark's id of its execution
 * @param description the user's, or else where it was called
 * @param user who asks for it, and by which session, as far as is known
 * @param startMillis when it began, in milliseconds since 1970; 0 if that is not known
 * @param endMillis when it ended, likewise; 0 while it runs
 * @param failure why it failed, in one line; null if it did not, or not yet
 * @param udfs what it computes in batches, or where its rows are
 * @param stages its stages with rows to compute, {@code id.attempt}, as far as they are kept
 * @param work what was computed for successful tasks and for those that run; in JSON its components
 *     stand beside the others
 * @param wastedRows rows of its task attempts that failed or were killed
 * @param tasks successful tasks of these stages
 * @param allTasks all tasks of these stages
 * @param rowsPerSecond rows computed a second, of the last ten; null if it has ended, or has just
 *     begun
 * @param leftMillis for how long its running stages will run on, if they go on as they did; null if
 *     none runs, or none of their tasks has ended
 * @param skew the longest time that devices computed for a task, divided by that of the median task
 *     of its stage, of the stage where it is greatest; null with fewer than four tasks
 */
public record QueryLoad(
    long id,
    String description,
    String user,
    long startMillis,
    long endMillis,
    String failure,
    List<String> udfs,
    List<String> stages,
    Work work,
    long wastedRows,
    long tasks,
    long allTasks,
    Long rowsPerSecond,
    Long leftMillis,
    Double skew) {

  public QueryLoad {
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(user, "user");
    udfs = List.copyOf(udfs);
    stages = List.copyOf(stages);
  }

  /** The same without what its user wrote, who that is, and what its error says, if it has one. */
  public QueryLoad withoutTexts() {
    return new QueryLoad(
        id,
        "",
        "",
        startMillis,
        endMillis,
        failure == null ? null : "",
        udfs,
        stages,
        work,
        wastedRows,
        tasks,
        allTasks,
        rowsPerSecond,
        leftMillis,
        skew);
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
  static QueryLoad read(
      @JsonProperty("id") long id,
      @JsonProperty("description") String description,
      @JsonProperty("user") String user,
      @JsonProperty("startMillis") long startMillis,
      @JsonProperty("endMillis") long endMillis,
      @JsonProperty("failure") String failure,
      @JsonProperty("udfs") List<String> udfs,
      @JsonProperty("stages") List<String> stages,
      @JsonProperty("rows") long rows,
      @JsonProperty("blocks") long blocks,
      @JsonProperty("stolenBlocks") long stolenBlocks,
      @JsonProperty("busyNanos") long busyNanos,
      @JsonProperty("wastedRows") long wastedRows,
      @JsonProperty("tasks") long tasks,
      @JsonProperty("allTasks") long allTasks,
      @JsonProperty("rowsPerSecond") Long rowsPerSecond,
      @JsonProperty("leftMillis") Long leftMillis,
      @JsonProperty("skew") Double skew) {
    return new QueryLoad(
        id,
        description,
        user,
        startMillis,
        endMillis,
        failure,
        udfs,
        stages,
        new Work(rows, blocks, stolenBlocks, busyNanos),
        wastedRows,
        tasks,
        allTasks,
        rowsPerSecond,
        leftMillis,
        skew);
  }

  /** {@code running}, {@code completed} or {@code failed}. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public String state() {
    return failure != null ? "failed" : endMillis > 0 ? "completed" : "running";
  }
}
