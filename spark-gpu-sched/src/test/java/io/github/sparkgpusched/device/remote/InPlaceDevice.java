package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.device.CallDevice;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.host.HostCall;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;
import java.util.Optional;

/** A launch device for tests: what it is to have computed it computes as it publishes. */
final class InPlaceDevice implements CallDevice {
  @Override
  public String name() {
    return "inplace:0";
  }

  @Override
  public WorkerSpec spec() {
    return WorkerSpec.staged(1, 20_000, 0, 2);
  }

  @Override
  public Optional<String> whyNot(UdfCall call, GpuUdf udf) {
    return Optional.empty();
  }

  @Override
  public Launcher launcher(List<CallOnDevice> calls, TaskWork work) {
    return (from, until) -> new Block(calls);
  }

  private record Block(List<CallOnDevice> calls) implements Launch {
    @Override
    public void start() {}

    @Override
    public boolean isDone() {
      return true;
    }

    @Override
    public long computeNanos() {
      return -1;
    }

    @Override
    public Transfers transfers() {
      return Transfers.NONE;
    }

    @Override
    public void publish(long from, long until, RowsLeft left) {
      for (CallOnDevice call : calls) {
        // Fixed width: no memory for strings is needed.
        new HostCall(call.call(), call.udf(), call.columns(), null, () -> false)
            .run((int) from, (int) until);
      }
    }

    @Override
    public void close() {}
  }
}
