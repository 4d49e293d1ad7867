package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;

/**
 * A place for one block on a device: its memory there, page-locked memory for what is copied back,
 * and the events between its stages. Kept from block to block. Owner's thread only.
 */
final class Slot {
  private static final Set<Stage> TIMED =
      EnumSet.of(Stage.HOST_TO_DEVICE, Stage.COMPUTE, Stage.SECOND_COMPUTE, Stage.DEVICE_TO_HOST);

  final OrderedBuffer block;
  final OrderedBuffer results;

  /** Events before and after a stage's kernels, or copy. */
  final Map<Stage, CUevent> begins = new EnumMap<>(Stage.class);

  final Map<Stage, CUevent> ends = new EnumMap<>(Stage.class);

  private final DeviceMemory deviceMemory;
  private final PinnedMemory pinnedMemory;

  Slot(Streams streams, DeviceMemory deviceMemory, PinnedMemory pinnedMemory)
      throws DeviceFailedException {
    this.deviceMemory = deviceMemory;
    this.pinnedMemory = pinnedMemory;
    block = new OrderedBuffer(Resource.BLOCK, streams);
    results = new OrderedBuffer(Resource.RESULTS, streams);
    for (Stage stage : TIMED) {
      begins.put(stage, streams.newEvent());
      ends.put(stage, streams.newEvent());
    }
  }

  /** True if the device does nothing in this slot any more. */
  boolean isQuiet() throws DeviceFailedException {
    return results.isReadyFor(Stage.HOST_PUBLISH);
  }

  boolean fits(long blockBytes, long resultBytes) {
    return block.bytes() >= blockBytes && results.bytes() >= resultBytes;
  }

  /** Makes room in a quiet slot. */
  void reserve(long blockBytes, long resultBytes)
      throws DeviceFailedException, DeviceMemoryException {
    if (block.bytes() < blockBytes) {
      freeBlock();
      long size = PinnedMemory.roundUp(blockBytes);
      block.place(deviceMemory.allocate(size, Stage.HOST_TO_DEVICE), size);
    }
    if (results.bytes() < resultBytes) {
      freeResults();
      long size = PinnedMemory.roundUp(resultBytes);
      results.place(pinnedMemory.allocate(size), size);
    }
  }

  /** Frees the memory of a quiet slot. */
  void free() throws DeviceFailedException {
    freeBlock();
    freeResults();
  }

  private void freeBlock() throws DeviceFailedException {
    if (block.bytes() > 0) {
      long address = block.addressToFree();
      long bytes = block.bytes();
      block.place(0, 0);
      deviceMemory.free(address, bytes, Stage.HOST_TO_DEVICE);
    }
  }

  private void freeResults() throws DeviceFailedException {
    if (results.bytes() > 0) {
      long address = results.addressToFree();
      long bytes = results.bytes();
      results.place(0, 0);
      pinnedMemory.free(address, bytes);
    }
  }

  /** Destroys the events. */
  void close() {
    block.close();
    results.close();
    begins.values().forEach(JCudaDriver::cuEventDestroy);
    ends.values().forEach(JCudaDriver::cuEventDestroy);
  }
}
