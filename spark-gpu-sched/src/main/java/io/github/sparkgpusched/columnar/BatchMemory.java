package io.github.sparkgpusched.columnar;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.Platform;

/**
 * All off-heap memory of one task's batches, accounted as execution memory of the task.
 *
 * <p>Where a GPU has page-locked some for that, larger pieces are slabs of its pool: the GPU copies
 * from them by itself, and may still read one after its block was given up. So who fills memory
 * again asks {@link #isLent} before.
 *
 * <p>The bytes always lie off-heap. They are accounted in the mode in which the task's other
 * operators are (on-heap unless {@code spark.memory.offHeap.enabled}), so that Spark spills its own
 * operators when batches need room.
 *
 * <p>Thread-safe. Only the thread that fills the batches asks Spark for memory, because that may
 * spill operators which it runs: the task's, or Python's writer in its place. What other threads
 * allocate is an overdraft, at most the string results of one batch, that it {@linkplain #settle
 * settles} when the batch is done.
 *
 * <p>The creator closes it, after the last thread has left the batch; that frees everything. A task
 * that ends while another thread fills or reads batches (as that which feeds a script) {@linkplain
 * #endTask gives its bytes back} and leaves the memory to that thread.
 */
public final class BatchMemory extends MemoryConsumer implements AutoCloseable {
  /** Spark did not grant the memory. Cheap: the caller makes a smaller batch. */
  public static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final long requestedBytes;

    Refused(long requestedBytes) {
      super(null, null, false, false);
      this.requestedBytes = requestedBytes;
    }

    public long requestedBytes() {
      return requestedBytes;
    }
  }

  /**
   * Bytes that all batches of this JVM hold now. Goes up in allocate, down in free; nothing else
   * writes it.
   */
  private static final AtomicLong LIVE_BYTES = new AtomicLong();

  /** The thread that fills the batches. Written by it before it allocates. */
  private volatile Thread filler = Thread.currentThread();

  /** Less than this is copied by a thread in less time than it takes to call a driver. */
  private static final int LEAST_SLAB_BYTES = 4 << 10;

  /**
   * Memory that is held.
   *
   * @param slab null if it is of the process's heap
   * @param holders columns that it is freed by
   */
  private record Block(long bytes, Slab slab, int holders) {}

  private final SlabPool slabs;

  /** What is held, by address. */
  @GuardedBy("this")
  private final TreeMap<Long, Block> blocks = new TreeMap<>();

  /** Bytes allocated and not yet granted by Spark. */
  @GuardedBy("this")
  private long overdraftBytes;

  /** Set once, by close. */
  @GuardedBy("this")
  private boolean closed;

  /** Most bytes held at once. */
  @GuardedBy("this")
  private long peakBytes;

  /** Bytes held now. */
  @GuardedBy("this")
  private long heldBytes;

  /** Most bytes to be held. */
  @GuardedBy("this")
  private long limitBytes = Long.MAX_VALUE;

  /**
   * @param slabs of a device that may compute the batches
   */
  public BatchMemory(TaskMemoryManager tasks, SlabPool slabs) {
    super(tasks, tasks.pageSizeBytes(), tasks.getTungstenMemoryMode());
    this.slabs = slabs;
  }

  /** Memory of which no device copies by itself. */
  public BatchMemory(TaskMemoryManager tasks) {
    this(tasks, SlabPool.NONE);
  }

  /** Bytes that all batches of this JVM hold now. */
  public static long liveBytes() {
    return LIVE_BYTES.get();
  }

  /**
   * Before the calling thread fills a batch. From now on allocations that would hold more than this
   * are refused, on any thread. What is held already stays.
   */
  public synchronized void setLimit(long bytes) {
    filler = Thread.currentThread();
    limitBytes = bytes;
  }

  private synchronized void checkLimit(long bytes) throws Refused {
    if (heldBytes + bytes > limitBytes) {
      throw new Refused(bytes);
    }
  }

  /**
   * Allocates off-heap memory; its contents are unspecified.
   *
   * @return the address of at least {@code bytes} bytes, 8-byte aligned
   * @throws Refused if it is over the limit, or if called by the thread that fills and Spark does
   *     not grant it
   */
  public long allocate(long bytes) throws Refused {
    return allocate(bytes, 1);
  }

  /**
   * The same, for several.
   *
   * @param holders how many times it is freed
   */
  long allocate(long bytes, int holders) throws Refused {
    checkLimit(bytes);
    boolean accounted = Thread.currentThread() == filler;
    if (accounted) {
      long granted = acquireMemory(bytes);
      if (granted < bytes) {
        freeMemory(granted);
        throw new Refused(bytes);
      }
    }
    return add(bytes, holders, accounted);
  }

  /**
   * Allocates, on the thread that fills, what it cannot do without: Spark is asked when it is
   * {@linkplain #settle settled}.
   */
  long allocateUnasked(long bytes) {
    return add(bytes, 1, false);
  }

  private synchronized long add(long bytes, int holders, boolean accounted) {
    if (closed) {
      if (accounted) {
        freeMemory(bytes);
      }
      throw new IllegalStateException("the task's batch memory is closed");
    }
    Slab slab = bytes < LEAST_SLAB_BYTES ? null : slabs.take(bytes);
    long address = slab == null ? Platform.allocateMemory(bytes) : slab.address();
    hold(address, new Block(bytes, slab, holders), accounted);
    return address;
  }

  @GuardedBy("this")
  private void hold(long address, Block block, boolean accounted) {
    blocks.put(address, block);
    if (!accounted) {
      overdraftBytes += block.bytes();
    }
    heldBytes += block.bytes();
    peakBytes = Math.max(peakBytes, heldBytes);
    LIVE_BYTES.addAndGet(block.bytes());
  }

  /** A slab with results is held by the task, too; to be freed each time that it is adopted. */
  synchronized void adopt(Slab slab) {
    Block before = blocks.get(slab.address());
    if (before != null) {
      blocks.put(slab.address(), new Block(before.bytes(), slab, before.holders() + 1));
    } else {
      slab.lend();
      hold(slab.address(), new Block(slab.bytes(), slab, 1), false);
    }
  }

  /** Whether a device may still read what was allocated here: then it must not be written. */
  boolean isLent(long address) {
    return slabs != SlabPool.NONE && isInLentSlab(address);
  }

  private synchronized boolean isInLentSlab(long address) {
    Block block = blocks.get(address);
    return block != null && block.slab() != null && block.slab().isLent();
  }

  /** The slab that all of so many bytes are in, or null. */
  synchronized Slab slabAt(long address, long bytes) {
    Map.Entry<Long, Block> block = blocks.floorEntry(address);
    Slab slab = block == null ? null : block.getValue().slab();
    return slab != null && address + bytes <= slab.end() ? slab : null;
  }

  /** Frees one block. */
  public void free(long address) {
    long accounted;
    synchronized (this) {
      Block block = blocks.remove(address);
      if (block == null) {
        return;
      } else if (block.holders() > 1) {
        blocks.put(address, new Block(block.bytes(), block.slab(), block.holders() - 1));
        return;
      }
      giveBack(address, block);
      heldBytes -= block.bytes();
      // An overdraft is the youngest debt: pay it off before giving anything back to Spark.
      long paid = Math.min(overdraftBytes, block.bytes());
      overdraftBytes -= paid;
      accounted = closed ? 0 : block.bytes() - paid;
    }
    if (accounted > 0) {
      freeMemory(accounted);
    }
  }

  private static void giveBack(long address, Block block) {
    if (block.slab() == null) {
      Platform.freeMemory(address);
    } else {
      block.slab().giveBack();
    }
    LIVE_BYTES.addAndGet(-block.bytes());
  }

  /**
   * Accounts what other threads have allocated. Only the thread that fills.
   *
   * @return false if Spark did not grant all of it: the next batch should be smaller
   */
  public boolean settle() {
    long debt;
    synchronized (this) {
      debt = overdraftBytes;
    }
    if (debt == 0) {
      return true;
    }
    long granted = acquireMemory(debt);
    synchronized (this) {
      overdraftBytes -= granted;
    }
    return granted == debt;
  }

  /** Most bytes that this task's batches held at once. */
  public synchronized long peakBytes() {
    return peakBytes;
  }

  /** Batches cannot be written to disk while they are computed: nothing is spilled. */
  @Override
  public long spill(long bytes, MemoryConsumer trigger) {
    return 0;
  }

  /**
   * The task has ended, and nobody but the thread that fills touches the memory. It is freed,
   * unless that is another thread, which lives: that one may be in the middle of a row. It gets no
   * more memory, and is to {@link #close}, or to end: then that frees everything.
   */
  public void endTask() {
    if (!isOfAnother()) {
      close();
      return;
    }
    synchronized (this) {
      closed = true;
      if (!blocks.isEmpty()) {
        LeftMemory.add(this, filler);
      }
    }
    freeMemory(getUsed());
  }

  private boolean isOfAnother() {
    return filler != Thread.currentThread() && filler.isAlive();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      blocks.forEach(BatchMemory::giveBack);
      blocks.clear();
      heldBytes = 0;
      overdraftBytes = 0;
    }
    LeftMemory.remove(this);
    freeMemory(getUsed());
  }
}
