package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.Transfers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The counters of one device. Safe for use by any threads, and lock-free.
 *
 * <p>All counters are in one immutable object that writers replace by compare-and-set. So a reader
 * gets the state after some whole number of updates, never half of one, and writers never wait for
 * readers. A device is as a rule one thread at a time, so that a writer's first try succeeds;
 * writers update a few times per block, never once per row.
 */
public final class LoadEntry {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Counters[].class);

  /** References before and after the one that is used: 128 bytes, as the prefetcher takes. */
  private static final int PAD = 32;

  /** Spans that are kept between two reports, and so the most that a report has of a device. */
  private static final int TRACED_SPANS = 32;

  private final String device;
  private final int capacity;
  private final boolean borrowed;
  private final BlockTrace trace;
  private final FailureTrace failures = new FailureTrace();

  /**
   * The counters, in the middle, away from other devices' ones. Whoever works for the device
   * replaces them by compare-and-set, which also makes the new object's fields visible to readers.
   */
  private final Counters[] cells = new Counters[2 * PAD + 1];

  /**
   * An entry with all counters 0, idle from now on.
   *
   * @param device the device's name
   * @param capacity blocks that the device holds at once, at least 1; of a GPU launches, each of
   *     which may be of blocks of several jobs
   */
  public LoadEntry(String device, int capacity) {
    this(device, capacity, false);
  }

  /**
   * The same, or the entry of a device that other executors lend: nobody is told of it before its
   * first block.
   */
  public LoadEntry(String device, int capacity, boolean borrowed) {
    this.borrowed = borrowed;
    this.device = Objects.requireNonNull(device, "device");
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "the device " + device + " must hold at least 1 block, not " + capacity);
    }
    this.capacity = capacity;
    this.trace = new BlockTrace(device, TRACED_SPANS);
    CELL.setRelease(cells, PAD, new Counters(System.nanoTime()));
  }

  /** The device's name. */
  public String device() {
    return device;
  }

  /** Whether it is of a device that other executors lend. */
  public boolean isBorrowed() {
    return borrowed;
  }

  /**
   * A block has begun; it ends by {@link #endBlock} or {@link #endFailure}.
   *
   * @param startNanos {@link System#nanoTime} at its start
   */
  public void beginBlock(long startNanos) {
    update(next -> next.begin(startNanos));
  }

  /**
   * A block that had begun was computed to its end.
   *
   * @param stolen true if it was first dealt to another device
   * @param work for whom, which is then counted and traced too; null if nobody wants to know. If it
   *     is a {@link LoadTable#guest}, the time is this device's, and the rows are lent: they are
   *     counted where they belong
   */
  public void endBlock(long rows, long startNanos, long endNanos, boolean stolen, TaskWork work) {
    if (work != null && work.lentTo() != null) {
      endLent(rows, startNanos, endNanos, work);
      return;
    }
    endBlock(rows, startNanos, endNanos);
    if (work != null) {
      work.add(rows, endNanos - startNanos, stolen);
      trace.add(work, rows, startNanos, endNanos, stolen);
    }
  }

  private void endBlock(long rows, long startNanos, long endNanos) {
    update(
        next -> {
          next.rows += rows;
          next.blocks++;
          next.end(startNanos, endNanos);
        });
  }

  /**
   * A task's thread that goes by this device has computed rows in place: they are in no block.
   *
   * @param work for whom, which is then counted and traced too; null if nobody wants to know
   */
  public void addInline(long rows, long startNanos, long endNanos, TaskWork work) {
    update(
        next -> {
          next.begin(startNanos);
          next.rows += rows;
          next.end(startNanos, endNanos);
        });
    if (work != null) {
      work.addInline(rows, endNanos - startNanos);
      trace.add(work, rows, startNanos, endNanos, false);
    }
  }

  /**
   * A block that had begun ended in an error.
   *
   * @param work for whom it was computed; null if nobody knows
   * @param error what went wrong; its first line is told of
   */
  public void endFailure(long startNanos, long endNanos, TaskWork work, String error) {
    update(
        next -> {
          next.failures++;
          next.end(startNanos, endNanos);
        });
    tell(work, error);
  }

  private void tell(TaskWork work, String error) {
    if (work != null) {
      work.addFailure();
    }
    failures.add(BlockFailure.of(device, work, FirstLine.of(error)));
  }

  /** A block that had begun was given up, or came to nothing; its time counts. */
  public void endUnpublished(long startNanos, long endNanos) {
    update(next -> next.end(startNanos, endNanos));
  }

  private void endLent(long rows, long startNanos, long endNanos, TaskWork work) {
    update(
        next -> {
          next.addLent(rows, endNanos - startNanos);
          next.end(startNanos, endNanos);
        });
    trace.add(work, rows, startNanos, endNanos, false);
  }

  /** Says what memory of its own the device has, in bytes. */
  public void setMemory(long freeBytes, long usedBytes) {
    update(
        next -> {
          next.freeBytes = freeBytes;
          next.usedBytes = usedBytes;
        });
  }

  /**
   * Counts what was copied for a block that was computed to its end.
   *
   * @param work for whom, which is then counted too; null if nobody wants to know
   */
  public void addTransfers(Transfers transfers, TaskWork work) {
    update(
        next ->
            next.transfers = next.transfers == null ? transfers : next.transfers.plus(transfers));
    if (work != null && work.lentTo() == null) {
      work.add(transfers);
    }
  }

  /** Says what has gone on inside of the device so far. */
  public void setInner(InnerLoad inner) {
    update(next -> next.inner = inner);
  }

  /** Counts a block inside of another one, whose time is in the outer one's. */
  public void addInnerBlock(long rows, boolean stolen, TaskWork work) {
    addInnerBlock(rows);
    if (work != null) {
      work.add(rows, 0, stolen);
    }
  }

  private void addInnerBlock(long rows) {
    update(
        next -> {
          next.rows += rows;
          next.blocks++;
        });
  }

  /** Counts a failed block inside of another one. */
  public void addInnerFailure(TaskWork work, String error) {
    update(next -> next.failures++);
    tell(work, error);
  }

  /**
   * Counts searches for rows at other devices, in a row and by one claim.
   *
   * @param found true if the last of them found some
   */
  public void addSteals(int tried, boolean found) {
    if (tried <= 0) {
      return;
    }
    update(
        next -> {
          next.stealRequests += tried;
          next.steals += found ? 1 : 0;
        });
  }

  /** Changes the number of rows that the device was dealt and has not begun; may be negative. */
  public void addQueueDepth(long rows) {
    update(next -> next.queueDepth += rows);
  }

  /** Says whether the device takes work. */
  public void setState(DeviceState state) {
    Objects.requireNonNull(state, "state");
    update(next -> next.state = state);
  }

  /** The counters now, all of one moment. */
  public DeviceLoad snapshot() {
    return get().load(device, capacity, borrowed, System.nanoTime());
  }

  boolean hasBegun() {
    return get().hasBegun();
  }

  FailureTrace failures() {
    return failures;
  }

  BlockTrace trace() {
    return trace;
  }

  private void update(Consumer<Counters> change) {
    Counters seen;
    Counters next;
    do {
      seen = get();
      next = new Counters(seen);
      change.accept(next);
    } while (!replace(seen, next));
  }

  /** The state that was published last; nobody changes it. */
  Counters get() {
    return (Counters) CELL.getAcquire(cells, PAD);
  }

  private boolean replace(Counters seen, Counters next) {
    return CELL.weakCompareAndSetRelease(cells, PAD, seen, next);
  }
}
