package io.github.sparkgpusched.load;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * What devices computed for the successful tasks of a stage attempt. Immutable. Made in {@code
 * StageTable} alone, from fields of these names.
 *
 * @param stageId Spark's id of the stage
 * @param attempt number of the attempt, from 0
 * @param name the stage's name, which users may have chosen
 * @param tasks successful tasks that had rows computed
 * @param work what was computed for them; in JSON its components stand beside the others
 * @param devices devices that took part
 * @param completed whether the stage has ended
 */
public record StageLoad(
    int stageId,
    int attempt,
    String name,
    long tasks,
    @JsonUnwrapped Work work,
    int devices,
    boolean completed) {

  public StageLoad {
    Objects.requireNonNull(name, "name");
  }
}
