package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jcuda.Pointer;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import org.apache.spark.unsafe.Platform;
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

  /** Slots of the ring, and buffers for jobs; a power of two. More than are ever in flight. */
  private static final int CAPACITY = 8;

  // Offsets in struct RingSlot and struct RingControl.
  private static final int SLOT_BYTES = 128;
  private static final int ROWS_AT = 8;
  private static final int FIRST_ROW_AT = 16;
  private static final int COLUMNS_AT = 24;
  private static final int CHUNK_ROWS_AT = 32;
  private static final int COLUMN_WORDS_AT = 40;
  private static final int DONE_AT = 64;
  private static final int CONTROL_AT = SLOT_BYTES * CAPACITY;
  private static final int STOP_AT = CONTROL_AT;
  private static final int HEARTBEAT_AT = CONTROL_AT + 64;

  /** Where the host has its copy of {@code struct Ring}, which begins a run. */
  private static final int RING_AT = CONTROL_AT + 128;

  private static final int RING_BYTES = 64;
  private static final int TABLE_AT = RING_AT + RING_BYTES;

  private static final int CHUNK_ROWS = 32;

  /** As many columns as {@code MAX_COLUMN_WORDS} of ring.cuh has room for. */
  private static final int MAX_COLUMNS = 24;

  /** A kernel that has not looked for work for so long does not run any more. */
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The same before its first look: it may have to wait for others to end. */
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** After so long without a look for work the driver is asked whether an error ended it. */
  private static final long SUSPECT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A small job that takes so long does not end. */
  private static final long STOP_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** After so long without a job it is stopped, and uses no power. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String device;

  /** Blocks of threads of a run. */
  private final int most;

  private final ResidentSettings settings;
  private final BlockSettings sharing;
  private final PinnedMemory pinned;
  private final DeviceMemory memory;
  private final CudaModules modules;
  private final CUstream stream = new CUstream();
  private final CUevent ended = new CUevent();
  private final Buffer[] buffers = new Buffer[CAPACITY];

  /** Mapped: ring, control, load table, then the buffers. */
  private final long host;

  private final long hostBytes;
  private final long hostOnDevice;
  private final MappedWords words;

  /** In device memory: the ring, its jobs, their columns, then queues, load table and cursor. */
  private final long block;

  private final long blockBytes;

  /** The function of the current run; null between runs. */
  private CUfunction running;

  private int blocks;
  private long run;

  /** Of the current run, or the last. */
  private long jobs;

  /** Of all runs before. */
  private long endedJobs;

  private long lastHeartbeat;
  private long heartbeatNanos;
  private long usedNanos;

  // What was counted: in ended runs, and when it was last looked at in this one.
  private long steals;
  private long stealsWon;
  private long offers;
  private long rows;
  private int[] seen = new int[3];
  private long seenRows;

  // As they were last seen, of the run.
  private long queued;
  private long capacity;

  /** A place for one job. */
  static final class Buffer {
    private final long address;
    private boolean held;
    private boolean offered;
    private long run;
    private long job;

    private Buffer(long address) {
      this.address = address;
    }

    /** In host memory. */
    long address() {
      return address;
    }
  }

  /** Allocates all that it will ever need. */
  ResidentKernel(
      String device,
      int multiprocessors,
      ResidentSettings settings,
      BlockSettings sharing,
      PinnedMemory pinned,
      DeviceMemory memory,
      CudaModules modules)
      throws DeviceFailedException, DeviceMemoryException {
    this.device = device;
    this.settings = settings;
    this.most = Math.min(settings.blocks(), mostBlocks(multiprocessors));
    this.sharing = sharing.forRing();
    this.pinned = pinned;
    this.memory = memory;
    this.modules = modules;
    long buffersAt = aligned(TABLE_AT + JobGrid.tableBytes(most));
    hostBytes = PinnedMemory.roundUp(buffersAt + CAPACITY * aligned(settings.jobBytes()));
    host = pinned.allocate(hostBytes);
    hostOnDevice = pinned.onDevice(host);
    words = new MappedWords(host, (int) buffersAt);
    for (int i = 0; i < CAPACITY; i++) {
      buffers[i] = new Buffer(host + buffersAt + i * aligned(settings.jobBytes()));
    }
    blockBytes = queuesAt() + JobGrid.queueBytes(this.sharing, most);
    try {
      block = memory.allocateAtOnce(blockBytes);
    } catch (DeviceMemoryException e) {
      pinned.free(host, hostBytes);
      throw e;
    }
    check(
        JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
        "cuStreamCreate");
    check(JCudaDriver.cuEventCreate(ended, 0), "cuEventCreate");
  }

  private static long aligned(long bytes) {
    return (bytes + 63) & ~63L;
  }

  private static long columnsAt() {
    return RING_BYTES + CAPACITY * (long) JobGrid.JOB_BYTES;
  }

  private static long queuesAt() {
    return columnsAt() + CAPACITY * (long) MAX_COLUMNS * StagedCall.COLUMN_BYTES;
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
        && columns <= MAX_COLUMNS
        && (running == null || (running.equals(function) ? hasRoom() : isIdle()));
  }

  /** False while a job that nobody wants any more has the ring's next slot. */
  private boolean hasRoom() {
    return jobs < CAPACITY || isJobDone(run, jobs - CAPACITY);
  }

  private boolean isIdle() {
    for (Buffer buffer : buffers) {
      if (!isFree(buffer)) {
        return false;
      }
    }
    return true;
  }

  /** A buffer that nobody uses, or null. */
  Buffer take() {
    for (Buffer buffer : buffers) {
      if (isFree(buffer)) {
        buffer.held = true;
        buffer.offered = false;
        return buffer;
      }
    }
    return null;
  }

  /** False too while the device has the job of a block that nobody wants any more. */
  private boolean isFree(Buffer buffer) {
    return !buffer.held && (!buffer.offered || isJobDone(buffer.run, buffer.job));
  }

  void giveBack(Buffer buffer) {
    buffer.held = false;
  }

  /** The address by which the device knows a place in a buffer. */
  long onDevice(long address) {
    return address - host + hostOnDevice;
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
      Buffer buffer, CUfunction function, int mostBlocks, int rows, long columns, int columnCount)
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
    int slot = slotOf(jobs);
    words.setLong(slot + ROWS_AT, rows);
    words.setLong(slot + FIRST_ROW_AT, 0);
    words.setLong(slot + COLUMNS_AT, columns);
    words.setLong(slot + CHUNK_ROWS_AT, CHUNK_ROWS);
    words.setLong(slot + COLUMN_WORDS_AT, columnCount * (StagedCall.COLUMN_BYTES / 8L));
    buffer.offered = true;
    buffer.run = run;
    buffer.job = jobs++;
    words.releaseLong(slot, jobs);
    usedNanos = System.nanoTime();
    return true;
  }

  private static int slotOf(long job) {
    return (int) (job & (CAPACITY - 1)) * SLOT_BYTES;
  }

  private void begin(CUfunction function, int mostBlocks)
      throws DeviceFailedException, JobRefusedException {
    blocks = Math.min(most, mostBlocks);
    Platform.setMemory(null, host, TABLE_AT + JobGrid.tableBytes(blocks), (byte) 0);
    Platform.putLong(null, host + RING_AT, hostOnDevice);
    Platform.putLong(null, host + RING_AT + 8, hostOnDevice + CONTROL_AT);
    Platform.putLong(null, host + RING_AT + 16, CAPACITY);
    Platform.putLong(null, host + RING_AT + 40, block + columnsAt());
    check(
        JCudaDriver.cuMemsetD8Async(Addresses.device(block), (byte) 0, blockBytes, stream),
        "cuMemsetD8Async");
    check(
        JCudaDriver.cuMemcpyHtoDAsync(
            Addresses.device(block), Addresses.host(host + RING_AT), RING_BYTES, stream),
        "cuMemcpyHtoDAsync");
    long parameter = Platform.allocateMemory(JobGrid.PARAMETER_BYTES);
    try {
      JobGrid grid = new JobGrid(sharing, blocks, 0, queuesAt(), RING_BYTES, TABLE_AT);
      grid.putParameter(parameter, block, block, hostOnDevice);
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
    check(JCudaDriver.cuEventRecord(ended, stream), "cuEventRecord");
    running = function;
    run++;
    endedJobs += jobs;
    jobs = 0;
    seen = new int[3];
    seenRows = 0;
    lastHeartbeat = 0;
    heartbeatNanos = System.nanoTime();
  }

  /**
   * True if the job in a buffer is done.
   *
   * @throws DeviceFailedException if the kernel does not look for work any more
   */
  boolean isDone(Buffer buffer) throws DeviceFailedException {
    if (isJobDone(buffer.run, buffer.job)) {
      usedNanos = System.nanoTime();
      return true;
    }
    if (isSuspect() && hasEnded() && !isJobDone(buffer.run, buffer.job)) {
      throw new DeviceFailedException(device + ": its resident kernel has ended by itself", null);
    }
    return false;
  }

  private boolean isJobDone(long ofRun, long job) {
    return ofRun != run || running == null || words.acquireLong(slotOf(job) + DONE_AT) > job;
  }

  /**
   * True if the kernel has not looked for work lately.
   *
   * @throws DeviceFailedException if it has not for so long that it is given up
   */
  private boolean isSuspect() throws DeviceFailedException {
    long now = System.nanoTime();
    long heartbeat = words.counter(HEARTBEAT_AT);
    if (heartbeat != lastHeartbeat) {
      lastHeartbeat = heartbeat;
      heartbeatNanos = now;
    } else if (now - heartbeatNanos > (heartbeat == 0 ? START_NANOS : HEARTBEAT_NANOS)
        && !hasEnded()) {
      throw new DeviceFailedException(
          device
              + ": the heartbeat of its resident kernel has stopped; it has not looked for work for "
              + TimeUnit.NANOSECONDS.toMillis(now - heartbeatNanos)
              + " ms; without spark.gpusched.cuda.resident.blocks there is none",
          null);
    }
    return now - heartbeatNanos > SUSPECT_NANOS;
  }

  /**
   * Ends the run, if there is one: waits until all jobs are done, and the kernel has ended.
   *
   * @throws DeviceFailedException if it does not end
   */
  void stop() throws DeviceFailedException {
    stop(STOP_NANOS);
  }

  /** The same, with the time that it may take. */
  void stop(long mostNanos) throws DeviceFailedException {
    if (running == null) {
      return;
    }
    long begin = System.nanoTime();
    words.releaseLong(STOP_AT, 1);
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
        LockSupport.parkNanos(this, SUSPECT_NANOS / 100);
      }
      Thread.onSpinWait();
    }
    lookAtCounters();
    LOG.debug("{}: a resident kernel ended after {} jobs", device, jobs);
    running = null;
  }

  private boolean hasEnded() throws DeviceFailedException {
    int status = JCudaDriver.cuEventQuery(ended);
    if (status == CudaErrors.NOT_READY) {
      return false;
    }
    check(status, "the resident kernel");
    return true;
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

  /** True if the kernel may still be at work: neither has it ended nor an error ended it. */
  boolean mayRun() {
    return running != null && JCudaDriver.cuEventQuery(ended) == CudaErrors.NOT_READY;
  }

  /** Adds what the blocks of threads have counted since the last look. */
  private void lookAtCounters() {
    int[] now = new int[3];
    long nowRows = 0;
    queued = 0;
    capacity = 0;
    for (int i = 0; i < blocks; i++) {
      int entry = TABLE_AT + (int) JobGrid.tableBytes(i);
      queued += words.intCounter(entry + JobGrid.QUEUED_AT);
      capacity += words.intCounter(entry + JobGrid.CAPACITY_AT);
      nowRows += words.counter(entry + JobGrid.ROWS_AT);
      now[0] += words.intCounter(entry + JobGrid.STEALS_AT);
      now[1] += words.intCounter(entry + JobGrid.STEALS_WON_AT);
      now[2] += words.intCounter(entry + JobGrid.OFFERS_AT);
    }
    // Counters of 32 bits wrap; their differences do not matter.
    steals += Integer.toUnsignedLong(now[0] - seen[0]);
    stealsWon += Integer.toUnsignedLong(now[1] - seen[1]);
    offers += Integer.toUnsignedLong(now[2] - seen[2]);
    seen = now;
    rows += nowRows - seenRows;
    seenRows = nowRows;
  }

  /** What its blocks of threads have counted, up to about a millisecond ago. */
  JobGrid.Counts counts() {
    if (running != null) {
      lookAtCounters();
    }
    return new JobGrid.Counts(0, rows, blocks, queued, capacity, steals, stealsWon, offers);
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
    for (Buffer buffer : buffers) {
      count += buffer.held ? 1 : 0;
    }
    return count;
  }

  /** Gives everything back; after {@link #stop}. */
  void close() throws DeviceFailedException {
    JCudaDriver.cuEventDestroy(ended);
    JCudaDriver.cuStreamDestroy(stream);
    memory.freeAtOnce(block, blockBytes);
    pinned.free(host, hostBytes);
  }

  private void check(int code, String function) throws DeviceFailedException {
    CudaErrors.check(code, device, function);
  }
}
