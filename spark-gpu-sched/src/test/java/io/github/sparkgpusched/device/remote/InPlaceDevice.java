package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.columnar.SlabPool;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.unsafe.Platform;

/**
 * A launch device for tests: what it is to have computed it computes as it publishes. Of a whole
 * batch it gives slabs with the results in place of the columns' own memory, as a GPU does.
 */
final class InPlaceDevice implements CallDevice {
  private final SlabPool slabs = new SlabPool();
  private final AtomicInteger wholeBatches = new AtomicInteger();

  InPlaceDevice() {
    slabs.add(slabs.allocate(1 << 20));
  }

  /** Batches that were computed as a whole. */
  int wholeBatches() {
    return wholeBatches.get();
  }

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

  private void handOver(CallColumns columns) {
    BatchColumn result = columns.result();
    int rows = columns.arguments().rows();
    long bytes = (long) rows * result.type().width();
    Slab slab = slabs.take(bytes + rows);
    if (slab == null) {
      return;
    }
    Platform.copyMemory(null, result.valueAddress(0), null, slab.address(), bytes);
    Platform.copyMemory(null, result.validityAddress(0), null, slab.address() + bytes, rows);
    Platform.setMemory(null, result.validityAddress(0), rows, (byte) 0);
    result.adopt(slab, slab.address(), slab.address() + bytes, rows);
    slab.giveBack();
    wholeBatches.incrementAndGet();
  }

  private final class Block implements Launch {
    private final List<CallOnDevice> calls;

    Block(List<CallOnDevice> calls) {
      this.calls = calls;
    }

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
        if (until - from == call.columns().arguments().rows()) {
          handOver(call.columns());
        }
      }
    }

    @Override
    public void close() {}
  }
}
