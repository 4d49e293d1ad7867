package io.github.sparkgpusched.load;

import java.io.Serializable;
import java.util.Objects;

/**
 * Blocks that a device computed one right after the other for one task attempt. Immutable.
 *
 * @param device the device's name
 * @param startMicros when the first began, in microseconds since 1970 by the executor's clock
 * @param endMicros when the last ended, likewise
 * @param rows rows in them
 * @param blocks how many
 * @param stolen true if they were first dealt to another device
 * @param stageId Spark's id of the stage
 * @param stageAttempt number of the stage's attempt, from 0
 * @param taskId Spark's id of the task attempt
 * @param lentTo executor whose task that is, if it is another one; else null
 */
public record BlockSpan(
    String device,
    long startMicros,
    long endMicros,
    long rows,
    long blocks,
    boolean stolen,
    int stageId,
    int stageAttempt,
    long taskId,
    String lentTo)
    implements Serializable {

  public BlockSpan {
    Objects.requireNonNull(device, "device");
  }

  BlockSpan later(long micros) {
    return new BlockSpan(
        device,
        startMicros + micros,
        endMicros + micros,
        rows,
        blocks,
        stolen,
        stageId,
        stageAttempt,
        taskId,
        lentTo);
  }

  /** The parts, put together by name. Not thread-safe. */
  static final class Builder {
    String device;
    long startMicros;
    long endMicros;
    long rows;
    long blocks;
    boolean stolen;
    int stageId;
    int stageAttempt;
    long taskId;
    String lentTo;

    BlockSpan build() {
      return new BlockSpan(
          device,
          startMicros,
          endMicros,
          rows,
          blocks,
          stolen,
          stageId,
          stageAttempt,
          taskId,
          lentTo);
    }
  }
}
