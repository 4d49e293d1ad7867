package io.github.sparkgpusched.columnar;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.unsafe.Platform;

/**
 * Memory of batches that devices copy from and to by themselves, as one of them has page-locked it
 * for all: in regions, which that device adds and drops, and of which tasks take {@linkplain Slab
 * slabs}. A region that is closed gives no more slabs, and no more devices begin to copy from it;
 * slabs that are out stay what they are, ordinary memory, until they come back. Thread-safe: one
 * lock.
 */
public final class SlabPool {
  /** One that never has any. */
  public static final SlabPool NONE = new SlabPool();

  /** Slabs begin at multiples of it, as what is copied to a device does best. */
  private static final int ALIGNMENT = 128;

  private static final int PAGE_BYTES = 4096;

  /** In the order in which they were added. */
  @GuardedBy("this")
  private final List<Region> regions = new ArrayList<>();

  /** Of regions that were allocated and not freed. */
  private final AtomicLong heldBytes = new AtomicLong();

  /** Written under the lock: whether there are regions, and whether the last slab was missing. */
  private volatile boolean hasRegions;

  private volatile boolean isShort;

  /** Memory that was allocated at once. Its fields are guarded by the pool's lock. */
  public final class Region {
    private final long memory;
    private final long address;
    private final long bytes;

    /** Ends of what is free, by its begin; no two touch. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    private int slabs;

    /** Slabs that devices of other pools may be copying from. */
    private int readers;

    /** Open, then closed, then dropped; by the device's thread. */
    private boolean closed;

    private boolean dropped;

    private Region(long bytes) {
      this.bytes = bytes;
      memory = Platform.allocateMemory(bytes + PAGE_BYTES);
      address = (memory + PAGE_BYTES - 1) & -PAGE_BYTES;
      free.put(address, address + bytes);
    }

    public long address() {
      return address;
    }

    public long bytes() {
      return bytes;
    }

    SlabPool pool() {
      return SlabPool.this;
    }

    /** The first place that is large enough, so that slabs taken together lie together. */
    private Slab take(long size) {
      long begin = firstPlace(size);
      if (begin == 0) {
        return null;
      }
      long end = free.remove(begin);
      if (end - begin > size) {
        free.put(begin + size, end);
      }
      slabs++;
      return new Slab(this, begin, size);
    }

    /** Where so much is free, or 0. */
    private long firstPlace(long size) {
      for (Map.Entry<Long, Long> place : free.entrySet()) {
        if (place.getValue() - place.getKey() >= size) {
          return place.getKey();
        }
      }
      return 0;
    }

    private void put(Slab slab) {
      long begin = slab.address();
      long end = slab.end();
      Map.Entry<Long, Long> before = free.lowerEntry(begin);
      if (before != null && before.getValue() == begin) {
        begin = before.getKey();
      }
      Long behind = free.remove(end);
      free.put(begin, behind == null ? end : behind);
      slabs--;
      freeIfUnused();
    }

    private void freeIfUnused() {
      if (dropped && slabs == 0) {
        Platform.freeMemory(memory);
        heldBytes.addAndGet(-bytes);
      }
    }
  }

  /** Memory that tasks are given once it is {@linkplain #add added}. */
  public Region allocate(long bytes) {
    Region region = new Region(bytes);
    heldBytes.addAndGet(bytes);
    return region;
  }

  /** Of all regions, and of those that were dropped as long as one of their slabs is out. */
  public long heldBytes() {
    return heldBytes.get();
  }

  /** From now on tasks are given slabs of a region. */
  public synchronized void add(Region region) {
    regions.add(region);
    hasRegions = true;
    isShort = false;
  }

  /** No more slabs are given of a region, and none of them is lent to a device. */
  public synchronized void close(Region region) {
    regions.remove(region);
    hasRegions = !regions.isEmpty();
    region.closed = true;
  }

  /** Whether devices of other pools may be copying from a region. */
  public synchronized boolean isRead(Region region) {
    return region.readers > 0;
  }

  /** Closes a region, which nobody has page-locked any more; freed when the last slab is back. */
  public synchronized void drop(Region region) {
    close(region);
    region.dropped = true;
    region.freeIfUnused();
  }

  /** Whether there are regions that slabs are given of. */
  public boolean hasRegions() {
    return hasRegions;
  }

  /** Whether a slab was asked for in vain since the last region was added. */
  public boolean isShort() {
    return isShort;
  }

  /**
   * Takes a slab, whose contents are unspecified.
   *
   * @return null if there is none: ordinary memory does as well, and is copied once more
   */
  public Slab take(long bytes) {
    if (!hasRegions) {
      return null;
    }
    long size = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    synchronized (this) {
      for (Region region : regions) {
        Slab slab = region.take(size);
        if (slab != null) {
          return slab;
        }
      }
      isShort = hasRegions;
      return null;
    }
  }

  synchronized void lend(Slab slab) {
    if (slab.holders == 0) {
      throw new IllegalStateException("a slab is lent that nobody holds: this is a bug");
    }
    slab.holders++;
  }

  synchronized boolean lendTo(SlabPool device, Slab slab) {
    if (slab.region.closed || device == NONE) {
      return false;
    }
    lend(slab);
    slab.region.readers += device == this ? 0 : 1;
    return true;
  }

  synchronized void giveBackFrom(SlabPool device, Slab slab) {
    slab.region.readers -= device == this ? 0 : 1;
    giveBack(slab);
  }

  synchronized void giveBack(Slab slab) {
    if (slab.holders == 0) {
      throw new IllegalStateException("a slab is given back that nobody holds: this is a bug");
    }
    if (--slab.holders == 0) {
      slab.region.put(slab);
    }
  }

  synchronized boolean isLent(Slab slab) {
    return slab.holders > 1;
  }

  /** Slabs that are out, of the regions that are there. */
  public synchronized int slabs() {
    return regions.stream().mapToInt(region -> region.slabs).sum();
  }
}
