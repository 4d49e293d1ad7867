package io.github.sparkgpusched.load;

import java.util.Objects;

/**
 * What devices computed for the successful tasks of a stage attempt. Immutable.
 *
 * @param stageId Spark's id of the stage
 * @param attempt number of the attempt, from 0
 * @param name the stage's name, which users may have chosen
 * @param tasks successful tasks that had rows computed
 * @param rows rows computed
 * @param blocks blocks computed
 * @param stolenBlocks those of them that were first dealt to another device
 * @param busyNanos time spent computing them, in nanoseconds
 * @param devices devices that took part
 * @param completed whether the stage has ended
 */
public record StageLoad(
    int stageId,
    int attempt,
    String name,
    long tasks,
    long rows,
    long blocks,
    long stolenBlocks,
    long busyNanos,
    int devices,
    boolean completed) {

  public StageLoad {
    Objects.requireNonNull(name, "name");
  }
}
