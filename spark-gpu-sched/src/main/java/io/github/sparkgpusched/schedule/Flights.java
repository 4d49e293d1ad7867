package io.github.sparkgpusched.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The blocks that one launch device has claimed and that have not ended. Thread-safe: one lock.
 *
 * <p><b>A claimed block ends once.</b> It is published ({@link #commit}), cancelled or handed back
 * ({@link #end}), each by the device's owner, or handed back with all others: when the device is
 * grounded ({@link #ground}), by anybody, or as its owner ends ({@link #endAll}). The lock decides
 * which comes first, and whoever comes late finds the block ended and does nothing. All that the
 * device's worker asks of a dealer is asked under this lock, so a device can be given up while its
 * owner is stuck in a call; no call into the device is made under it.
 *
 * <p><b>Time.</b> A block's time begins when it has been launched and is the oldest: when the one
 * before it ends, or at its own launch. Blocks of one launch have parts of its time, by their rows.
 * So the times of a device's blocks do not overlap, and the end of a younger block changes nothing
 * of an older one's.
 */
final class Flights {
  /** Where a claimed block is. Each step is taken once, under the lock. */
  private enum State {
    /** Being staged, or started. To FLYING or OLDEST by the owner as it was launched. */
    CLAIMED,
    /** Launched behind another. To OLDEST by whoever ends the one before. */
    FLYING,
    /** Launched, the oldest: its time runs. */
    OLDEST,
    /** Published, handed back or cancelled, from any of the others, for good. */
    ENDED
  }

  /**
   * The blocks of one launch. They are done at once, and share its time by their rows. Under the
   * lock of their {@link Flights}.
   */
  private static final class Shared {
    /** Blocks that were claimed for it, and rows that were launched. */
    private int blocks;

    private long rows;

    /** From when the first of its blocks was the oldest until one of them ended. */
    private boolean begun;

    private boolean ended;
    private long beginNanos;
    private long endNanos;

    /** Rows of the blocks that have their part of that time. */
    private long dealtRows;

    private void begin(long now) {
      if (!begun) {
        begun = true;
        beginNanos = now;
      }
    }

    private void end(long now) {
      if (!ended) {
        ended = true;
        endNanos = now;
      }
    }

    /** The next of its blocks, of so many rows, has ended: its part of the launch's time. */
    private Span deal(long blockRows) {
      long begin = after(dealtRows);
      dealtRows += blockRows;
      return new Span(begin, after(dealtRows));
    }

    private long after(long rowsDealt) {
      return beginNanos
          + Math.round((double) (endNanos - beginNanos) * rowsDealt / Math.max(1, rows));
    }
  }

  private record Span(long begin, long end) {}

  /** A claimed block. */
  static final class Block {
    final DevicePart part;
    final Claim claim;
    private final Shared shared;

    /** When it was claimed. */
    final long claimedNanos;

    /** Null until it was staged and after it was closed. Owner's thread only. */
    Launch launch;

    /** The row after the last that was launched; those behind it are handed back. */
    private long until;

    /** Rows that were launched. */
    private long rows;

    /** Under the lock of its {@link Flights}, as the next two. */
    private State state = State.CLAIMED;

    /** When its time began; what {@link State#OLDEST} says. */
    private long headNanos;

    /** True if no other block was in flight between its claim and its end. */
    private boolean alone;

    private Block(DevicePart part, Claim claim, Shared shared, long claimedNanos, boolean alone) {
      this.part = part;
      this.claim = claim;
      this.shared = shared;
      this.claimedNanos = claimedNanos;
      this.alone = alone;
    }

    /** Written by the owner alone, who may thus read it as it likes. */
    long until() {
      return until;
    }

    /** The device got no further than to a row. Owner's thread, before it is committed. */
    void endAt(long row) {
      until = Math.min(until, row);
    }

    private long busySince(long now) {
      return state == State.OLDEST ? headNanos : now;
    }
  }

  /**
   * A block that was committed: its owner publishes what the claim says.
   *
   * @param headNanos when its time began
   * @param endNanos when it ended: now, or a part of its launch's time later
   * @param nanos what its rows took, at least 1
   * @param alone true if no other block was in flight with it
   * @param shared true if it went in one launch with others
   */
  record Landed(long headNanos, long endNanos, long nanos, boolean alone, boolean shared) {}

  private final LoadEntry load;

  /** Not ended, the oldest first. */
  @GuardedBy("this")
  private final Deque<Block> blocks = new ArrayDeque<>();

  /** Ended with all others; their launches are the owner's to close. */
  @GuardedBy("this")
  private final List<Block> grounded = new ArrayList<>();

  /** True while nothing may be claimed. */
  @GuardedBy("this")
  private boolean onGround;

  Flights(LoadEntry load) {
    this.load = load;
  }

  /**
   * Claims a block of a job; null if there is none for this device now. Owner's thread.
   *
   * @param beside a block that was claimed before, and not launched, with which it is to go in one
   *     launch; null for a launch of its own
   */
  synchronized Block claim(DevicePart part, Claim claim, Block beside, long now) {
    if (onGround) {
      return null;
    }
    if (!part.joined) {
      part.joined = true;
      part.dealer.join(part.worker);
    }
    boolean claimed = part.dealer.claim(part.worker, now, claim);
    load.addSteals(claim.stealsTried(), claimed && claim.stealsTried() > 0);
    if (!claimed) {
      return null;
    }
    for (Block other : blocks) {
      other.alone = false;
    }
    Shared shared = beside == null ? new Shared() : beside.shared;
    shared.blocks++;
    Block block = new Block(part, claim, shared, now, blocks.isEmpty());
    load.beginBlock(now);
    blocks.add(block);
    return block;
  }

  /**
   * A block was launched up to a row.
   *
   * @return false if it was handed back meanwhile
   */
  synchronized boolean launched(Block block, Launch launch, long until, long now) {
    if (block.state == State.ENDED) {
      return false;
    }
    block.launch = launch;
    block.until = until;
    block.rows = until - block.claim.from();
    block.shared.rows += block.rows;
    block.state = State.FLYING;
    if (blocks.peek() == block) {
      beginTime(block, now);
    }
    return true;
  }

  @GuardedBy("this")
  private void beginTime(Block block, long now) {
    block.state = State.OLDEST;
    block.headNanos = now;
    block.shared.begin(now);
  }

  /**
   * Commits a block that is done.
   *
   * @param computeNanos what the device says its rows took; below 0 if it cannot tell: then the
   *     time counts for which it was the oldest
   * @return null if it was handed back meanwhile: others have its rows
   */
  synchronized Landed commit(Block block, long computeNanos, long now) {
    if (block.state == State.ENDED) {
      return null;
    }
    remove(block, now);
    Span span = block.shared.deal(block.rows);
    long nanos = Math.max(1, computeNanos >= 0 ? computeNanos : span.end - span.begin);
    block.part.dealer.commit(block.part.worker, block.claim, block.until, nanos, now);
    return new Landed(span.begin, span.end, nanos, block.alone, block.shared.blocks > 1);
  }

  /**
   * Ends a block that is not published.
   *
   * @param handBack true if others are to compute its rows; false if its job is over or stopped
   * @return false if it had ended before
   */
  synchronized boolean end(Block block, boolean handBack, long now) {
    if (block.state == State.ENDED) {
      return false;
    }
    boolean hadTime = block.state == State.OLDEST;
    remove(block, now);
    Span span = hadTime ? block.shared.deal(block.rows) : new Span(now, now);
    load.endUnpublished(span.begin, span.end);
    if (handBack) {
      block.part.dealer.handBack(block.part.worker, block.claim, now);
    }
    return true;
  }

  @GuardedBy("this")
  private void remove(Block block, long now) {
    if (block.state == State.OLDEST) {
      block.shared.end(now);
    } else if (block.state == State.CLAIMED) {
      block.shared.blocks--; // it did not get into its launch
    }
    block.state = State.ENDED;
    blocks.remove(block);
    Block next = blocks.peek();
    if (next != null && next.state == State.FLYING) {
      beginTime(next, now);
    }
  }

  /**
   * Hands all blocks back; nothing is claimed until {@link #resume}. Any thread.
   *
   * @param why what is wrong with the device
   */
  synchronized void ground(long now, String why) {
    onGround = true;
    for (Block block : blocks) {
      load.endFailure(block.busySince(now), now, block.part.work(), why);
      block.state = State.ENDED;
      block.part.dealer.handBack(block.part.worker, block.claim, now);
      grounded.add(block);
    }
    blocks.clear();
  }

  /**
   * Ends all blocks, as the owner does. Their jobs are over or stopped, or the device was given up
   * by another thread that has not come to {@link #ground} yet: so they are handed back. Owner's
   * thread.
   */
  synchronized void endAll(long now) {
    onGround = true;
    for (Block block : blocks) {
      load.endUnpublished(block.busySince(now), now);
      block.state = State.ENDED;
      block.part.dealer.handBack(block.part.worker, block.claim, now);
      grounded.add(block);
    }
    blocks.clear();
  }

  /** The device has recovered: it may claim again. Owner's thread. */
  synchronized void resume() {
    onGround = false;
  }

  /** Blocks that were ended with all others; each is told once. Owner's thread. */
  synchronized List<Block> takeGrounded() {
    List<Block> taken = new ArrayList<>(grounded);
    grounded.clear();
    return taken;
  }

  /** A worker that has nothing in flight leaves the dealer. */
  synchronized void leave(Dealer dealer, int worker) {
    dealer.leave(worker);
  }

  /** The oldest block; null if none is in flight. */
  synchronized Block oldest() {
    return blocks.peek();
  }

  /** For how long a block has been the oldest and launched. */
  synchronized long nanosAtHead(Block block, long now) {
    return now - block.busySince(now);
  }

  synchronized int size() {
    return blocks.size();
  }

  /** True if the oldest block's launch has ended: others of it were published. */
  synchronized boolean isPartlyLanded() {
    Block oldest = blocks.peek();
    return oldest != null && oldest.shared.ended;
  }

  /** The jobs' parts of the blocks of the oldest launch. */
  synchronized List<DevicePart> oldestLaunch() {
    List<DevicePart> parts = new ArrayList<>();
    for (Block block : blocks) {
      if (block.shared == blocks.peek().shared) {
        parts.add(block.part);
      }
    }
    return parts;
  }

  /** Launches of which blocks are in flight, and those that are being staged. */
  synchronized int launches() {
    int launches = 0;
    Shared last = null;
    for (Block block : blocks) {
      launches += block.shared == last ? 0 : 1;
      last = block.shared;
    }
    return launches;
  }

  /** True if a block of this job is in flight. */
  synchronized boolean hasAnyOf(DevicePart part) {
    for (Block block : blocks) {
      if (block.part == part) {
        return true;
      }
    }
    return false;
  }
}
