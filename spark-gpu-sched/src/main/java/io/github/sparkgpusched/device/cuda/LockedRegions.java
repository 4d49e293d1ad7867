package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import java.util.ArrayList;
import java.util.List;

/**
 * The regions of a device's pool of slabs: page-locked in its context, and dropped when that ends.
 * They are memory of this process that is registered with the driver, and none that the driver
 * allocates: that would be gone with the context, under the tasks that are filling it. Other
 * devices copy from them, too; before the context ends they are closed, and the blocks that read
 * them are waited for. Owner's thread only.
 */
final class LockedRegions {
  /** Page-locking takes about a millisecond for 4 MiB. */
  private static final long REGION_BYTES = 16 << 20;

  private final SlabPool pool;
  private final List<SlabPool.Region> regions = new ArrayList<>();

  LockedRegions(SlabPool pool) {
    this.pool = pool;
  }

  SlabPool pool() {
    return pool;
  }

  /** Adds a region, unless all of them would take more than half of the page-locked memory. */
  void grow(PinnedMemory pinned) throws DeviceFailedException {
    if (2 * REGION_BYTES * (regions.size() + 1L) > pinned.boundBytes()) {
      return;
    }
    SlabPool.Region region = pool.allocate(REGION_BYTES);
    boolean locked = false;
    try {
      locked = pinned.lock(region.address(), region.bytes());
    } finally {
      if (!locked) {
        pool.drop(region);
      }
    }
    if (locked) {
      regions.add(region);
      pool.add(region);
    }
  }

  /** No more batches are put there, and no other device begins to copy from there. */
  void close() {
    regions.forEach(pool::close);
  }

  /** Whether other devices may be copying from there. */
  boolean areRead() {
    return regions.stream().anyMatch(pool::isRead);
  }

  /**
   * Ends the page-locking. No other device copies from there any more, and this one does not, or
   * its context has failed.
   */
  void unlock(PinnedMemory pinned) {
    regions.forEach(region -> pinned.unlock(region.address(), region.bytes()));
  }

  /** Drops all regions, whose context has ended: tasks are given none of them any more. */
  void drop() {
    regions.forEach(pool::drop);
    regions.clear();
  }
}
