package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Staging buffers between blocks. Owner's thread only. */
final class StagingPool {
  private final Streams streams;
  private final PinnedMemory memory;

  /** Given back by their blocks; the device may still be copying from them. */
  private final List<OrderedBuffer> free = new ArrayList<>();

  private int lent;

  StagingPool(Streams streams, PinnedMemory memory) {
    this.streams = streams;
    this.memory = memory;
  }

  /** A buffer that can be filled at once: nothing here waits for the device. */
  OrderedBuffer take(long bytes) throws DeviceFailedException, DeviceMemoryException {
    long size = PinnedMemory.roundUp(bytes);
    for (OrderedBuffer buffer : free) {
      if (buffer.bytes() == size && buffer.isReadyFor(Stage.HOST_FILL)) {
        free.remove(buffer);
        lent++;
        return buffer;
      }
    }
    OrderedBuffer buffer;
    try {
      buffer = allocate(size);
    } catch (DeviceMemoryException e) {
      if (!releaseIdle()) {
        throw e;
      }
      buffer = allocate(size);
    }
    lent++;
    return buffer;
  }

  private OrderedBuffer allocate(long size) throws DeviceFailedException, DeviceMemoryException {
    long address = memory.allocate(size);
    OrderedBuffer buffer = new OrderedBuffer(Resource.STAGING, streams);
    buffer.place(address, size);
    return buffer;
  }

  void giveBack(OrderedBuffer buffer) {
    lent--;
    free.add(buffer);
  }

  int lent() {
    return lent;
  }

  /**
   * Frees buffers that are not in use.
   *
   * @return false if there was none
   */
  boolean releaseIdle() throws DeviceFailedException {
    boolean any = false;
    for (Iterator<OrderedBuffer> buffers = free.iterator(); buffers.hasNext(); ) {
      OrderedBuffer buffer = buffers.next();
      if (buffer.isReadyFor(Stage.HOST_FILL)) {
        buffers.remove();
        buffer.close();
        memory.free(buffer.addressToFree(), buffer.bytes());
        any = true;
      }
    }
    return any;
  }

  /** Frees all buffers that were given back; of a device that is quiet, or has failed. */
  void close() throws DeviceFailedException {
    try {
      for (OrderedBuffer buffer : free) {
        buffer.join(Stage.HOST_FILL);
        memory.free(buffer.addressToFree(), buffer.bytes());
      }
    } finally {
      free.forEach(OrderedBuffer::close);
      free.clear();
    }
  }
}
