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
  private final RemoteExecutors executors;
  private final List<CallOnDevice> calls;

  /** Null if nobody wants to know. */
  private final TaskWork work;

  RemoteLauncher(
      RemoteDevice device, RemoteExecutors executors, List<CallOnDevice> calls, TaskWork work) {
    this.device = device;
    this.executors = executors;
    this.calls = calls;
    this.work = work;
  }

  @Override
  public Launch stage(long from, long until) throws DeviceMemoryException {
    Lease lease = device.lease();
    long block = executors.nextBlock();
    if (lease == null) {
      return new RemoteLaunch(device, executors, calls, null, block, from, until, null);
    }
    long bytes = BlockMessage.bytes(calls, (int) from, (int) until);
    if (bytes > executors.mostBlockBytes() && until - from > 1) {
      throw new DeviceMemoryException(
          bytes + " bytes are more than spark.gpusched.remote.blockBytes", bytes);
    }
    if (bytes > Integer.MAX_VALUE / 2) {
      return new RemoteLaunch(device, executors, calls, null, block, from, until, null);
    }
    ByteBuffer message =
        BlockMessage.write(calls, work, lease.lane(), block, (int) from, (int) until, (int) bytes);
    return new RemoteLaunch(device, executors, calls, lease, block, from, until, message);
  }
}
