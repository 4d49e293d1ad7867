package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.Launcher;
import java.nio.ByteBuffer;
import java.util.List;

/** Copies the rows of blocks into messages. Owner's thread only. */
final class RemoteLauncher implements Launcher {
  private final RemoteDevice device;
  private final Borrower borrower;
  private final List<CallOnDevice> calls;

  /** Null if nobody wants to know. */
  private final TaskWork work;

  RemoteLauncher(RemoteDevice device, Borrower borrower, List<CallOnDevice> calls, TaskWork work) {
    this.device = device;
    this.borrower = borrower;
    this.calls = calls;
    this.work = work;
  }

  @Override
  public Launch stage(long from, long until) throws DeviceMemoryException {
    Lease lease = device.lease();
    long block = borrower.nextBlock();
    if (lease == null) {
      return RemoteLaunch.dealtAnew(device, borrower, calls, block, from, until);
    }
    long bytes = BlockMessage.bytes(calls, (int) from, (int) until);
    if (until - from > 1 && bytes > borrower.mostBlockBytes()) {
      throw new DeviceMemoryException(
          bytes + " bytes are more than spark.gpusched.remote.blockBytes", bytes);
    }
    if (bytes > borrower.mostRowBytes()) {
      return RemoteLaunch.atHome(device, borrower, calls, block, from, until);
    }
    ByteBuffer message =
        BlockMessage.write(calls, work, lease.lane(), block, (int) from, (int) until, (int) bytes);
    return new RemoteLaunch(device, borrower, calls, lease, block, from, until, message);
  }
}
