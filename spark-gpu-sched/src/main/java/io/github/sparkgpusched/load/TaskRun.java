package io.github.sparkgpusched.load;

import java.io.Serializable;
import java.util.Objects;

/**
 * What an executor's devices have computed so far for a task attempt that runs there. Immutable.
 *
 * @param taskId Spark's id of the task attempt
 * @param stageId Spark's id of its stage
 * @param attempt number of the stage's attempt, from 0
 * @param work what was computed for it
 */
public record TaskRun(long taskId, int stageId, int attempt, Work work) implements Serializable {
  public TaskRun {
    Objects.requireNonNull(work, "work");
  }

  static TaskRun of(TaskWork task) {
    return new TaskRun(task.taskId(), task.stageId(), task.stageAttempt(), task.work());
  }

  /** Both together, which are of the same task: it may compute in several nodes of its plan. */
  TaskRun plus(TaskRun other) {
    return new TaskRun(taskId, stageId, attempt, work.plus(other.work));
  }
}
