package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import org.apache.spark.unsafe.Platform;

/**
 * The kernel of a {@link ResidentKernel} on the device: launched, watched and waited for, one run
 * after the other. It has ended once its stream has nothing left; before that it is alive as long
 * as its heartbeat changes. Owner's thread only.
 */
final class ResidentRun {
  private final String device;
  private final BlockSettings sharing;
  private final ResidentMemory memory;
  private final ResidentRing ring;
  private final CudaModules modules;
  private final Heartbeat heartbeat;
  private final CUstream stream = new CUstream();

  ResidentRun(
      String device,
      BlockSettings sharing,
      ResidentMemory memory,
      ResidentRing ring,
      CudaModules modules,
      long blockNanos)
      throws DeviceFailedException {
    this.heartbeat = new Heartbeat(blockNanos);
    this.device = device;
    this.sharing = sharing;
    this.memory = memory;
    this.ring = ring;
    this.modules = modules;
    check(
        JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
        "cuStreamCreate");
  }

  /** Launches it, with an empty ring; the run before has ended. */
  void launch(CUfunction function, int blocks) throws DeviceFailedException, JobRefusedException {
    long ringAtHost = ring.reset(blocks, memory.columns());
    long block = memory.block();
    check(
        JCudaDriver.cuMemsetD8Async(Addresses.device(block), (byte) 0, memory.blockBytes(), stream),
        "cuMemsetD8Async");
    check(
        JCudaDriver.cuMemcpyHtoDAsync(
            Addresses.device(block), Addresses.host(ringAtHost), ResidentRing.RING_BYTES, stream),
        "cuMemcpyHtoDAsync");
    long parameter = Platform.allocateMemory(JobGrid.PARAMETER_BYTES);
    try {
      JobGrid grid =
          new JobGrid(
              sharing,
              blocks,
              0,
              ResidentMemory.queuesAt(),
              ResidentRing.RING_BYTES,
              ResidentRing.TABLE_AT);
      grid.putParameter(parameter, block, block, memory.onDevice(memory.ring()));
      JobGrid.putRing(parameter, block);
      modules.check(
          JCudaDriver.cuLaunchKernel(
              function,
              blocks,
              1,
              1,
              KernelSource.BLOCK_THREADS,
              1,
              1,
              0,
              stream,
              Pointer.to(Addresses.host(parameter)),
              null),
          function,
          "cuLaunchKernel");
    } finally {
      Platform.freeMemory(parameter);
    }
    heartbeat.begin(System.nanoTime());
  }

  /**
   * True if the kernel has not looked for work lately.
   *
   * @throws DeviceFailedException if it has not for so long that it is given up
   */
  boolean isSuspect() throws DeviceFailedException {
    heartbeat.look(System.nanoTime(), ring.heartbeat());
    if (heartbeat.hasStopped() && !hasEnded()) {
      throw new DeviceFailedException(
          device
              + ": the heartbeat of its resident kernel has stopped; it has not looked for work for "
              + TimeUnit.NANOSECONDS.toMillis(heartbeat.stillNanos())
              + " ms; without spark.gpusched.cuda.resident.blocks there is none",
          null);
    }
    return heartbeat.isLate();
  }

  /**
   * Waits until it has ended, which it was asked for.
   *
   * @throws DeviceFailedException if it does not end in that time
   */
  void awaitEnd(long mostNanos) throws DeviceFailedException {
    long begin = System.nanoTime();
    while (!hasEnded()) {
      if (System.nanoTime() - begin > mostNanos) {
        throw new DeviceFailedException(
            device
                + ": a job of its resident kernel has not ended in "
                + TimeUnit.NANOSECONDS.toMillis(mostNanos)
                + " ms",
            null);
      }
      if (isSuspect()) {
        LockSupport.parkNanos(this, Heartbeat.LATE_NANOS / 100);
      }
      Thread.onSpinWait();
    }
  }

  /** True if it has ended; an error that ended it is thrown. */
  boolean hasEnded() throws DeviceFailedException {
    int status = JCudaDriver.cuStreamQuery(stream);
    if (status == CudaErrors.NOT_READY) {
      return false;
    }
    check(status, "the resident kernel");
    return true;
  }

  /** True if it may still be at work: neither has it ended nor an error ended it. */
  boolean mayRun() {
    return JCudaDriver.cuStreamQuery(stream) == CudaErrors.NOT_READY;
  }

  /** Of a kernel that does not run. */
  void close() {
    JCudaDriver.cuStreamDestroy(stream);
  }

  private void check(int code, String function) throws DeviceFailedException {
    CudaErrors.check(code, device, function);
  }
}
