package io.github.sparkgpusched.device;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.LaunchDevice;
import io.github.sparkgpusched.schedule.Launcher;
import java.util.List;
import java.util.Optional;

/**
 * A device that computes calls of UDFs: what a kind of device implements. The scheduler opens it,
 * claims blocks of rows for it and launches them, as {@link LaunchDevice} says; this adds how a
 * block of UDF calls is computed.
 */
public interface CallDevice extends LaunchDevice {
  /**
   * Why this device cannot compute a call, or empty if it can. Asked before each job, by any
   * thread, so the answer should be remembered; the first time it may take long, as kernels are
   * compiled.
   *
   * @param call the name and the types that the UDF is called with
   * @param udf a copy of the UDF, which no other thread uses while this is called
   */
  Optional<String> whyNot(UdfCall call, GpuUdf udf);

  /**
   * The language of functions that this device can be given as text in a query, or empty if it
   * takes none. Called once, as the executor starts; it may look for a compiler.
   */
  default Optional<TextLanguage> texts() {
    return Optional.empty();
  }

  /**
   * Memory from which this device copies by itself: batches that it may compute had better lie
   * there. Any thread.
   */
  default SlabPool slabs() {
    return SlabPool.NONE;
  }

  /**
   * What it computes a job's calls with: blocks of jobs for which these are equal may go in one
   * launch. Called on the owner's thread; loads nothing.
   *
   * @return null if they go alone
   */
  default Object kernels(List<CallOnDevice> calls) {
    return null;
  }

  /**
   * Computes the blocks of a job. Called on the owner's thread.
   *
   * @param calls of each {@link #whyNot} was empty; all of them are computed for each row
   * @param work whose rows these are; null if nobody wants to know
   * @return closed by the scheduler, on the same thread, when the device leaves the job
   * @throws JobRefusedException if it cannot compute them after all: it leaves the job, and says so
   *     by {@link #whyNot} from then on
   * @throws DeviceFailedException if the device has failed
   */
  Launcher launcher(List<CallOnDevice> calls, TaskWork work)
      throws DeviceFailedException, JobRefusedException;
}
