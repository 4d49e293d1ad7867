package io.github.sparkgpusched.device.remote;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a block begins with, behind the lane's number; see {@link BlockMessage}.
 *
 * @param written how many values of the batch were sent before
 * @param calls their numbers
 */
record BlockHead(
    long block,
    long batch,
    int written,
    int stageId,
    int stageAttempt,
    long taskId,
    int rows,
    List<Long> calls) {
  /** No batch has more. */
  private static final int MOST_ROWS = 1 << 24;

  /** A lane keeps as many. */
  static final int MOST_CALLS = 64;

  /**
   * @param in behind the lane's number; afterwards at the first call
   * @throws IllegalArgumentException if that is no block; so is BufferUnderflowException
   */
  static BlockHead read(ByteBuffer in) {
    long block = in.getLong();
    long batch = in.getLong();
    int written = in.getInt();
    int stageId = in.getInt();
    int stageAttempt = in.getInt();
    long taskId = in.getLong();
    int rows = in.getInt();
    int count = in.getInt();
    if (rows < 1 || rows > MOST_ROWS || count < 1 || count > MOST_CALLS) {
      throw new IllegalArgumentException("a block of " + rows + " rows and " + count + " calls");
    }
    List<Long> calls = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      calls.add(in.getLong());
    }
    return new BlockHead(block, batch, written, stageId, stageAttempt, taskId, rows, calls);
  }
}
