package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.Device;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.LaunchDevice;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.RangeBody;
import java.util.ArrayList;
import java.util.List;

/**
 * A block of another executor as a job of this one's scheduler: launch devices of this executor
 * compute rows of it, beside the lane's own core.
 *
 * @param calls of the block, whose columns are filled; cores compute them on the lane's thread
 * @param work whose rows these are
 */
record GuestJob(List<GuestCalls> calls, TaskWork work) implements RangeBody {
  @Override
  public Worker open(Device device) {
    return (from, until) -> {
      for (GuestCalls call : calls) {
        call.run((int) from, (int) until);
      }
    };
  }

  /** A core that is borrowed is not lent on. */
  @Override
  public boolean runsOn(LaunchDevice device) {
    return !device.isBorrowed() && canRunOn((CallDevice) device);
  }

  /** Whether a launch device of this executor computes all calls. Compiles them the first time. */
  boolean canRunOn(CallDevice device) {
    for (GuestCalls call : calls) {
      if (!call.runsOn(device)) {
        return false;
      }
    }
    return true;
  }

  /** The job is over: what devices have for columns is the calls' from now on. Lane's thread. */
  void takeResults() {
    calls.forEach(GuestCalls::takeResult);
  }

  @Override
  public Object kernels(LaunchDevice device) {
    return ((CallDevice) device).kernels(on((CallDevice) device));
  }

  @Override
  public Launcher launcher(LaunchDevice device) throws DeviceFailedException, JobRefusedException {
    return ((CallDevice) device).launcher(on((CallDevice) device), work);
  }

  private List<CallOnDevice> on(CallDevice device) {
    List<CallOnDevice> given = new ArrayList<>();
    for (GuestCalls call : calls) {
      given.add(call.onDevice(device));
    }
    return given;
  }
}
