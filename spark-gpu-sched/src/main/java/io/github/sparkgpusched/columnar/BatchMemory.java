package io.github.sparkgpusched.columnar;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.Platform;

/**
 * All off-heap memory of one task's batches, accounted as execution memory of the task.
 *
 * <p>The bytes always lie off-heap. They are accounted in the mode in which the task's other
 * operators are (on-heap unless {@code spark.memory.offHeap.enabled}), so that Spark spills its own
 * operators when batches need room.
 *
 * <p>Thread-safe. Only the task thread asks Spark for memory, because that may spill operators that
 * belong to it; what other threads allocate is an overdraft, at most the string results of one
 * batch, that the task thread {@linkplain #settle settles} when the batch is done.
 *
 * <p>The creator closes it, after the last thread has left the batch; that frees everything.
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

  private final Thread taskThread = Thread.currentThread();

  /** Sizes of live blocks by address. */
  @GuardedBy("this")
  private final Map<Long, Long> blocks = new HashMap<>();

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

  public BatchMemory(TaskMemoryManager tasks) {
    super(tasks, tasks.pageSizeBytes(), tasks.getTungstenMemoryMode());
  }

  /** Bytes that all batches of this JVM hold now. */
  public static long liveBytes() {
    return LIVE_BYTES.get();
  }

  /**
   * From now on allocations that would hold more than this are refused, on any thread. What is held
   * already stays.
   */
  public synchronized void setLimit(long bytes) {
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
   * @throws Refused if it is over the limit, or if called by the task thread and Spark does not
   *     grant it
   */
  public long allocate(long bytes) throws Refused {
    checkLimit(bytes);
    boolean accounted = Thread.currentThread() == taskThread;
    if (accounted) {
      long granted = acquireMemory(bytes);
      if (granted < bytes) {
        freeMemory(granted);
        throw new Refused(bytes);
      }
    }
    synchronized (this) {
      if (closed) {
        if (accounted) {
          freeMemory(bytes);
        }
        throw new IllegalStateException("the task's batch memory is closed");
      }
      long address = Platform.allocateMemory(bytes);
      blocks.put(address, bytes);
      if (!accounted) {
        overdraftBytes += bytes;
      }
      heldBytes += bytes;
      peakBytes = Math.max(peakBytes, heldBytes);
      LIVE_BYTES.addAndGet(bytes);
      return address;
    }
  }

  /** Frees one block. */
  public void free(long address) {
    long accounted;
    synchronized (this) {
      Long bytes = blocks.remove(address);
      if (bytes == null) {
        return;
      }
      Platform.freeMemory(address);
      heldBytes -= bytes;
      LIVE_BYTES.addAndGet(-bytes);
      // An overdraft is the youngest debt: pay it off before giving anything back to Spark.
      long paid = Math.min(overdraftBytes, bytes);
      overdraftBytes -= paid;
      accounted = bytes - paid;
    }
    if (accounted > 0) {
      freeMemory(accounted);
    }
  }

  /**
   * Accounts what other threads have allocated. Task thread only.
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

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      for (Map.Entry<Long, Long> block : blocks.entrySet()) {
        Platform.freeMemory(block.getKey());
        LIVE_BYTES.addAndGet(-block.getValue());
      }
      blocks.clear();
      heldBytes = 0;
      overdraftBytes = 0;
    }
    freeMemory(getUsed());
  }
}
