package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import java.util.List;

/**
 * One small block of a job's rows, as a job of the device's {@link ResidentKernel}. Owner's thread
 * only.
 */
final class ResidentLaunch implements Launch {
  private final CudaLauncher launcher;
  private final ResidentKernel kernel;
  private final StagedCall staged;
  private final PublishedRows published;

  /** Null once given back. */
  private JobBuffer buffer;

  private ResidentLaunch(
      CudaLauncher launcher, StagedCall staged, JobBuffer buffer, PublishedRows published) {
    this.launcher = launcher;
    this.kernel = launcher.device().resident();
    this.staged = staged;
    this.buffer = buffer;
    this.published = published;
    long address = buffer.address();
    long onDevice = kernel.onDevice(address);
    staged.fill(address);
    staged.fillTable(address, onDevice, onDevice, onDevice + staged.bytes());
    staged.markMissing(address + staged.bytes());
  }

  /** A block of a launcher's one call, or null if it is to be launched. */
  static ResidentLaunch stage(CudaLauncher launcher, int from, int until) {
    ResidentKernel kernel = launcher.device().resident();
    if (kernel == null
        || launcher.calls().size() != 1
        || !launcher.mayStay()
        || !launcher.blockSettings(0).fixed().equals(launcher.device().blockSettings().fixed())) {
      return null;
    }
    StagedCall staged =
        new StagedCall(
            launcher.calls().get(0).columns(), from, until, launcher.device().stringBytes());
    if (!kernel.takes(
        launcher.function(0), staged.bytes() + staged.resultBytes(), staged.columns())) {
      return null;
    }
    JobBuffer buffer = kernel.take();
    return buffer == null
        ? null
        : new ResidentLaunch(launcher, staged, buffer, new PublishedRows(from, until));
  }

  @Override
  public void start() throws DeviceFailedException, DeviceMemoryException, JobRefusedException {
    launcher.device().pipeline().rules().kicked(this);
    boolean offered =
        kernel.offer(
            buffer,
            launcher.function(0),
            launcher.mostBlocks(0),
            staged.rows(),
            kernel.onDevice(buffer.address()),
            staged.columns());
    if (!offered) {
      throw new DeviceMemoryException(
          launcher.device().name() + " is still busy with jobs that are not wanted any more",
          staged.bytes());
    }
  }

  @Override
  public boolean isDone() throws DeviceFailedException {
    return launcher.device().pipeline().rules().isOldest(this) && kernel.isDone(buffer);
  }

  @Override
  public long computeNanos() {
    return -1; // nothing on the device takes the time of a job
  }

  @Override
  public Transfers transfers() {
    return new Transfers(staged.bytes(), staged.resultBytes(), 0);
  }

  @Override
  public void publish(long from, long until, RowsLeft left) throws DeviceFailedException {
    launcher.device().pipeline().rules().delivered(this);
    if (!kernel.isDone(buffer)) {
      throw PipelineRules.broken("a job is published that is not done");
    }
    published.add(from, until);
    long results = buffer.address() + staged.bytes();
    staged.requireComplete(
        results, launcher.calls().get(0).call().name(), launcher.device().name());
    BlockResults.publish(List.of(staged), launcher.calls(), results, (int) from, (int) until, left);
  }

  @Override
  public void close() {
    launcher.device().pipeline().rules().closed(this);
    if (buffer != null) {
      kernel.giveBack(buffer);
      buffer = null;
    }
  }
}
