package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ColumnCodec;
import io.github.sparkgpusched.columnar.SentValues;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.load.TaskWork;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The rows of a block on their way to a lender: lane, block, the number of its batch, how many of
 * its values were sent before, stage, its attempt, task, rows, how many calls, and their numbers;
 * and for each call whether it skips rows, a byte a row that is 0 where it does, and its arguments'
 * columns. They come back as status, rows computed, nanoseconds that these took, nanoseconds that
 * the block was with the lender, and, if there are rows, the calls' result columns. Where a
 * function has failed, there follow how many rows were at work then, the number of its call, and
 * the reason.
 */
final class BlockMessage {
  /** Status: all rows were computed. */
  static final byte DONE = 0;

  /** Status: rows were computed, perhaps none; then the lender wanted its core back. */
  static final byte LEFT = 1;

  /** Status: the lender cannot compute the calls; the reason follows. */
  static final byte CANNOT = 2;

  /** Status: rows were computed, perhaps none; then a function failed. */
  static final byte FAILED = 3;

  /** Of an answer, before the result columns. */
  static final int ANSWER_BYTES = 1 + 4 + 8 + 8;

  private static final int HEAD_BYTES = 4 + 8 + 8 + 4 + 4 + 4 + 8 + 4 + 4;
  private static final int CALL_BYTES = 8 + 1;

  private BlockMessage() {}

  /**
   * Bytes that rows {@code [from, until)} take.
   *
   * @param sent what the lender keeps of the batch
   */
  static long bytes(List<CallOnDevice> calls, int from, int until, SentValues sent) {
    long bytes = HEAD_BYTES;
    for (CallOnDevice call : calls) {
      bytes += CALL_BYTES + (call.columns().maySkip() ? until - from : 0);
      for (BatchColumn argument : call.columns().all()) {
        bytes += ColumnCodec.bytes(argument, from, until, sent);
      }
    }
    return bytes;
  }

  /**
   * @param work whose rows these are; null if nobody wants to know
   */
  static ByteBuffer write(
      List<CallOnDevice> calls,
      TaskWork work,
      Lease lease,
      long block,
      int from,
      int until,
      int bytes) {
    ByteBuffer out = Message.RUN.begin(bytes);
    out.putInt(lease.lane()).putLong(block).putLong(lease.batch());
    out.putInt(lease.sent().written());
    out.putInt(work == null ? -1 : work.stageId());
    out.putInt(work == null ? -1 : work.stageAttempt());
    out.putLong(work == null ? -1 : work.taskId());
    out.putInt(until - from).putInt(calls.size());
    calls.forEach(call -> out.putLong(call.call().number()));
    for (CallOnDevice call : calls) {
      CallColumns columns = call.columns();
      out.put((byte) (columns.maySkip() ? 1 : 0));
      if (columns.maySkip()) {
        for (int row = from; row < until; row++) {
          out.put((byte) (columns.skips(row) ? 0 : 1));
        }
      }
      for (BatchColumn argument : columns.all()) {
        ColumnCodec.write(argument, from, until, lease.sent(), out);
      }
    }
    out.flip();
    return out;
  }
}
