package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.columnar.SentValues;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.Launcher;
import java.nio.ByteBuffer;
import java.util.List;

/** Copies the rows of a job's blocks into messages. Owner's thread only. */
final class RemoteLauncher implements Launcher {
  private final RemoteDevice device;
  private final Borrower borrower;
  private final List<CallOnDevice> calls;

  /** Null if nobody wants to know. */
  private final TaskWork work;

  /** Of its own. */
  private final long number;

  RemoteLauncher(RemoteDevice device, Borrower borrower, List<CallOnDevice> calls, TaskWork work) {
    this.device = device;
    this.borrower = borrower;
    this.calls = calls;
    this.work = work;
    this.number = borrower.nextLauncher();
  }

  @Override
  public Launch stage(long from, long until) {
    Lease lease = device.lease();
    long block = borrower.nextBlock();
    if (lease == null) {
      return RemoteLaunch.dealtAnew(device, borrower, calls, block, from, until);
    }
    SentValues sent = lease.sentFor(number);
    long end = until;
    long bytes = BlockMessage.bytes(calls, (int) from, (int) end, sent);
    // Of the first blocks of a batch only a few rows may fit, whose values the lender then keeps.
    while (bytes > borrower.mostBlockBytes() && end - from > 1) {
      sent.undo();
      end = from + (end - from) / 2;
      bytes = BlockMessage.bytes(calls, (int) from, (int) end, sent);
    }
    if (bytes > borrower.mostRowBytes()) {
      sent.undo();
      return RemoteLaunch.atHome(device, borrower, calls, block, from, end);
    }
    ByteBuffer message =
        BlockMessage.write(calls, work, lease, block, (int) from, (int) end, (int) bytes);
    return new RemoteLaunch(device, borrower, calls, lease, block, from, end, message);
  }
}
