package io.github.sparkgpusched.load;

import java.io.Serializable;
import java.util.Objects;

/**
 * A block that ended in an error, or a row that was in none. Immutable.
 *
 * @param device the device's name; empty if a task computed the row where it was
 * @param udf what it computed, as users call it; empty if nobody knows
 * @param stageId Spark's id of the stage; -1 if nobody knows
 * @param stageAttempt number of the stage's attempt, from 0
 * @param taskId Spark's id of the task attempt
 * @param error what went wrong, in one line
 */
public record BlockFailure(
    String device, String udf, int stageId, int stageAttempt, long taskId, String error)
    implements Serializable {

  public BlockFailure {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(udf, "udf");
    Objects.requireNonNull(error, "error");
  }

  /** For whom it was computed, null if nobody knows, and what it ended in. */
  static BlockFailure of(String device, TaskWork work, String error) {
    return work == null
        ? new BlockFailure(device, "", -1, 0, 0, error)
        : new BlockFailure(
            device, work.udfName(), work.stageId(), work.stageAttempt(), work.taskId(), error);
  }

  /** As people read it. */
  String text() {
    StringBuilder text = new StringBuilder();
    if (!udf.isEmpty()) {
      text.append(udf).append(", ");
    }
    if (stageId >= 0) {
      text.append("stage ").append(stageId).append('.').append(stageAttempt);
      text.append(", task ").append(taskId).append(": ");
    }
    return text.append(error).toString();
  }
}
