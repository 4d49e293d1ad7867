package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.concurrent.TimeUnit;
import jcuda.driver.CUfunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kernel that stays on a device and is fed through a ring in mapped host memory (ring.cuh), so
 * that a small job costs neither a launch nor a copy: it reads its arguments where the host has put
 * them, and writes its results there. One function at a time; another one's jobs stop it first.
 * Owner's thread only.
 *
 * <p><b>Runs.</b> From its start to its end the kernel is in a run, in which jobs have the numbers
 * 0, 1 and so on. A run ends only after all of its jobs are done, so a job of an ended run is done.
 *
 * <p><b>What may wait for the device does not happen beside it.</b> Memory is allocated and freed,
 * and modules are loaded, only after {@link #stop}: the driver may wait for running kernels then.
 */
final class ResidentKernel {
  private static final Logger LOG = LoggerFactory.getLogger(ResidentKernel.class);

  /** A small job that takes so long, and longer than a launch may, does not end. */
  private static final long STOP_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** After so long without a job it is stopped, and uses no power. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String device;
  private final long stopNanos;

  /** Blocks of threads of a run. */
  private final int most;

  private final ResidentSettings settings;
  private final ResidentMemory memory;
  private final ResidentRing ring;
  private final ResidentCounts counts;
  private final ResidentRun kernel;
  private final JobBuffer[] buffers = new JobBuffer[ResidentRing.CAPACITY];

  /** The function of the current run; null between runs. */
  private CUfunction running;

  /** The function of a run that begins; its kernel may be at work before it has begun. */
  private CUfunction beginning;

  /** Number of the current run, or the last; grows. */
  private long run;

  /** Of the current run, or the last. */
  private long jobs;

  /** Of all runs before. */
  private long endedJobs;

  private long usedNanos;

  /**
   * Allocates all that it will ever need.
   *
   * @param blockNanos that a launch may take
   */
  ResidentKernel(
      String device,
      int multiprocessors,
      ResidentSettings settings,
      BlockSettings sharing,
      PinnedMemory pinned,
      DeviceMemory memory,
      CudaModules modules,
      long blockNanos)
      throws DeviceFailedException, DeviceMemoryException {
    this.device = device;
    this.stopNanos = Math.max(STOP_NANOS, blockNanos);
    this.settings = settings;
    this.most = Math.min(settings.blocks(), mostBlocks(multiprocessors));
    BlockSettings inRing = sharing.forJobs();
    this.memory = new ResidentMemory(inRing, most, settings.jobBytes(), pinned, memory);
    ring = new ResidentRing(this.memory.ring(), this.memory.onDevice(this.memory.ring()), most);
    counts = new ResidentCounts(ring);
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = new JobBuffer(this.memory.buffer(i));
    }
    kernel = new ResidentRun(device, inRing, this.memory, ring, modules, blockNanos);
  }

  /**
   * Most blocks of threads that may stay beside any other kernel. A multiprocessor has room for two
   * blocks of each kernel (MIN_BLOCKS in udf.cuh). So with one block less than two for each
   * multiprocessor there is one, wherever the device put them, that has room for a block of another
   * kernel: which then gets done, as it waits for no block of its own that has not started.
   */
  static int mostBlocks(int multiprocessors) {
    return 2 * Math.max(1, multiprocessors) - 1;
  }

  /** Whether a job of so many bytes and columns, of this function, can be given to it now. */
  boolean takes(CUfunction function, long bytes, int columns) {
    return bytes <= settings.jobBytes()
        && columns <= ResidentMemory.MAX_COLUMNS
        && (running == null || (running.equals(function) ? hasRoom() : isIdle()));
  }

  /** False while a job that nobody wants any more has the ring's next slot. */
  private boolean hasRoom() {
    return jobs < ResidentRing.CAPACITY || isJobDone(run, jobs - ResidentRing.CAPACITY);
  }

  private boolean isIdle() {
    for (JobBuffer buffer : buffers) {
      if (!isFree(buffer)) {
        return false;
      }
    }
    return true;
  }

  /** A buffer that nobody uses, or null. */
  JobBuffer take() {
    for (JobBuffer buffer : buffers) {
      if (isFree(buffer)) {
        buffer.hold();
        return buffer;
      }
    }
    return null;
  }

  /** False too while the device has the job of a block that nobody wants any more. */
  private boolean isFree(JobBuffer buffer) {
    return !buffer.isHeld() && (!buffer.isOffered() || isJobDone(buffer.run(), buffer.job()));
  }

  void giveBack(JobBuffer buffer) {
    buffer.letGo();
  }

  /** The address by which the device knows a place in a buffer. */
  long onDevice(long address) {
    return memory.onDevice(address);
  }

  /**
   * Offers a job, whose columns are filled, and starts a run if need be.
   *
   * @param mostBlocks blocks of threads of this function that may stay
   * @param columns its table of columns, as the device knows it
   * @param columnCount of the table
   * @return false if the ring is full
   */
  boolean offer(
      JobBuffer buffer,
      CUfunction function,
      int mostBlocks,
      int rows,
      long columns,
      int columnCount)
      throws DeviceFailedException, JobRefusedException {
    if (running != null && !running.equals(function)) {
      stop();
    }
    if (running == null) {
      begin(function, mostBlocks);
    }
    if (!hasRoom()) {
      return false;
    }
    buffer.offer(run, jobs);
    ring.put(jobs, rows, columns, columnCount);
    jobs++;
    usedNanos = System.nanoTime();
    return true;
  }

  private void begin(CUfunction function, int mostBlocks)
      throws DeviceFailedException, JobRefusedException {
    int blocks = Math.min(most, mostBlocks);
    beginning = function;
    try {
      kernel.launch(function, blocks);
    } catch (JobRefusedException e) {
      beginning = null; // it is not on the device
      throw e;
    }
    beginning = null;
    running = function;
    run++;
    endedJobs += jobs;
    jobs = 0;
    counts.begin(blocks);
  }

  /**
   * True if the job in a buffer is done.
   *
   * @throws DeviceFailedException if the kernel does not look for work any more
   */
  boolean isDone(JobBuffer buffer) throws DeviceFailedException {
    if (isJobDone(buffer.run(), buffer.job())) {
      usedNanos = System.nanoTime();
      return true;
    }
    if (kernel.isSuspect() && kernel.hasEnded() && !isJobDone(buffer.run(), buffer.job())) {
      throw new DeviceFailedException(device + ": its resident kernel has ended by itself", null);
    }
    return false;
  }

  private boolean isJobDone(long ofRun, long job) {
    return ofRun != run || running == null || ring.isDone(job);
  }

  /**
   * Ends the run, if there is one: waits until all jobs are done, and the kernel has ended.
   *
   * @throws DeviceFailedException if it does not end
   */
  void stop() throws DeviceFailedException {
    stop(stopNanos);
  }

  /** The same, with the time that it may take. */
  void stop(long mostNanos) throws DeviceFailedException {
    if (running == null) {
      return;
    }
    ring.askToStop();
    kernel.awaitEnd(mostNanos);
    counts.look();
    LOG.debug("{}: a resident kernel ended after {} jobs", device, jobs);
    running = null;
  }

  /**
   * Stops the kernel if it has had no job for a while.
   *
   * @return true if it stays
   */
  boolean rest() throws DeviceFailedException {
    if (running == null) {
      return false;
    }
    if (System.nanoTime() - usedNanos < LINGER_NANOS || !isIdle()) {
      return true;
    }
    stop();
    return false;
  }

  /** The function whose jobs the kernel may be at, or null: they are done, or there are none. */
  CUfunction atWork() {
    if (running == null) {
      return beginning;
    }
    for (long job = Math.max(0, jobs - ResidentRing.CAPACITY); job < jobs; job++) {
      if (!isJobDone(run, job)) {
        return running;
      }
    }
    return null;
  }

  /** True if the kernel may still be at work: neither has it ended nor an error ended it. */
  boolean mayRun() {
    return running != null && kernel.mayRun();
  }

  /** What its blocks of threads have counted, up to about a millisecond ago. */
  JobGrid.Counts counts() {
    if (running != null) {
      counts.look();
    }
    return counts.get();
  }

  /** Number of jobs so far, of all runs. */
  long jobs() {
    return endedJobs + jobs;
  }

  /** Number of runs so far. */
  long runs() {
    return run;
  }

  /** Buffers that blocks hold; 0 once all are closed. */
  int held() {
    int count = 0;
    for (JobBuffer buffer : buffers) {
      count += buffer.isHeld() ? 1 : 0;
    }
    return count;
  }

  /** Gives everything back; after {@link #stop}, or an error that has ended the kernel. */
  void close() throws DeviceFailedException {
    running = null; // nothing asks for its end any more
    beginning = null;
    kernel.close();
    memory.free();
  }
}
