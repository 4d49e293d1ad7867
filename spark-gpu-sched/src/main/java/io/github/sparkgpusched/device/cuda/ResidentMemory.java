package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;

/**
 * All memory that a kernel that stays ever needs. Mapped host memory: the ring, then the buffers of
 * jobs. Device memory: the ring's own copy, its jobs, their columns, then queues, load table and
 * cursor. Its addresses are constant. Owner's thread only.
 */
final class ResidentMemory {
  /** As many columns as {@code MAX_COLUMN_WORDS} of ring.cuh has room for. */
  static final int MAX_COLUMNS = 24;

  private final PinnedMemory pinned;
  private final DeviceMemory memory;
  private final long host;
  private final long hostBytes;
  private final long hostOnDevice;
  private final long buffersAt;
  private final long bufferBytes;
  private final long block;
  private final long blockBytes;

  /**
   * @param blocks most blocks of threads
   * @param jobBytes most bytes of a job
   */
  ResidentMemory(
      BlockSettings sharing, int blocks, long jobBytes, PinnedMemory pinned, DeviceMemory memory)
      throws DeviceFailedException, DeviceMemoryException {
    this.pinned = pinned;
    this.memory = memory;
    buffersAt = aligned(ResidentRing.bytes(blocks));
    bufferBytes = aligned(jobBytes);
    hostBytes = PinnedMemory.roundUp(buffersAt + ResidentRing.CAPACITY * bufferBytes);
    host = pinned.allocate(hostBytes);
    hostOnDevice = pinned.onDevice(host);
    blockBytes = queuesAt() + JobGrid.queueBytes(sharing, blocks);
    try {
      block = memory.allocateAtOnce(blockBytes);
    } catch (DeviceMemoryException e) {
      pinned.free(host, hostBytes);
      throw e;
    }
  }

  private static long aligned(long bytes) {
    return (bytes + 63) & ~63L;
  }

  /** Where the ring is in host memory. */
  long ring() {
    return host;
  }

  /** Where a job's buffer is in host memory. */
  long buffer(int i) {
    return host + buffersAt + i * bufferBytes;
  }

  /** The address by which the device knows a place in host memory. */
  long onDevice(long address) {
    return address - host + hostOnDevice;
  }

  /** The device memory. */
  long block() {
    return block;
  }

  long blockBytes() {
    return blockBytes;
  }

  /** Where the columns of jobs are on the device. */
  long columns() {
    return block + columnsAt();
  }

  private static long columnsAt() {
    return ResidentRing.RING_BYTES + ResidentRing.CAPACITY * (long) JobGrid.JOB_BYTES;
  }

  /** Where the queues are, from the begin of the device memory. */
  static long queuesAt() {
    return columnsAt() + ResidentRing.CAPACITY * (long) MAX_COLUMNS * StagedCall.COLUMN_BYTES;
  }

  /** Gives it back; no kernel may use it any more. */
  void free() throws DeviceFailedException {
    memory.freeAtOnce(block);
    pinned.free(host, hostBytes);
  }
}
