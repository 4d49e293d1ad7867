package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.Launch;
import java.util.List;

/** From host memory, where a block's results are, into the columns of its calls. */
final class BlockResults {
  private BlockResults() {}

  /**
   * Writes results of rows {@code [from, until)} into the calls' columns, and leaves the rows that
   * one of the CUDA functions could not be given: all calls are null there until the host forms
   * compute them.
   *
   * @param results where the results of the block's first call are, in host memory
   */
  static void publish(
      List<StagedCall> staged,
      List<CallOnDevice> calls,
      long results,
      int from,
      int until,
      Launch.RowsLeft left) {
    long address = results;
    boolean anyForHost = false;
    for (int i = 0; i < staged.size(); i++) {
      anyForHost |= staged.get(i).publish(address, from, until, calls.get(i).results());
      address += staged.get(i).resultBytes();
    }
    int row = anyForHost ? from : until;
    while (row < until) {
      int first = row;
      while (row < until && isForHost(staged, results, row)) {
        row++;
      }
      if (row > first) {
        int end = row;
        staged.forEach(call -> call.clear(first, end));
        left.add(first, row);
      }
      row++;
    }
  }

  private static boolean isForHost(List<StagedCall> staged, long results, int row) {
    long address = results;
    for (StagedCall call : staged) {
      if (call.isForHost(address, row)) {
        return true;
      }
      address += call.resultBytes();
    }
    return false;
  }
}
