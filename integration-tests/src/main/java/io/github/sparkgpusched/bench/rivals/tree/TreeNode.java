package io.github.sparkgpusched.bench.rivals.tree;

import io.github.sparkgpusched.bench.rivals.Padded;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A range of rows in the work-stealing tree. A leaf is claimed from one end, the front, or the rear
 * if it is {@link #backward}; an inner node is a leaf that was stolen from, and its two children
 * hold the rows that had not been claimed by then. Thread-safe, lock-free.
 */
final class TreeNode extends Padded {
  /** In {@link #owner}: anyone may own the node. */
  static final int AVAILABLE = -1;

  private static final AtomicLongFieldUpdater<TreeNode> PROGRESS =
      AtomicLongFieldUpdater.newUpdater(TreeNode.class, "progress");
  private static final AtomicIntegerFieldUpdater<TreeNode> OWNER =
      AtomicIntegerFieldUpdater.newUpdater(TreeNode.class, "owner");
  private static final AtomicReferenceFieldUpdater<TreeNode, TreeFork> FORK =
      AtomicReferenceFieldUpdater.newUpdater(TreeNode.class, TreeFork.class, "fork");

  /** Null for a root. */
  final TreeNode parent;

  /** True for the right child of its parent. */
  final boolean right;

  /** First row. */
  final long start;

  /** The row after the last. */
  final long until;

  /** True if rows are claimed from the rear. */
  final boolean backward;

  /** The worker whose root these rows were in when the job began. */
  final int dealtTo;

  /** Number of the nodes above. */
  final int depth;

  /**
   * How far rows have been claimed: p, 0 or more, says that {@code [p, until)} is unclaimed, or
   * {@code [start, p)} of a backward node; negative, -p-1 (which is ~p), says the same and that it
   * is frozen: it never changes again. All transitions are by compare-and-set:
   *
   * <ul>
   *   <li>p to q, further on: by the owner, which claims the rows between; one row further, by any
   *       worker, which claims that row;
   *   <li>q back to p: by who has claimed the rows between and hands them back;
   *   <li>p to ~p: with at least two rows left, by a thief; with none left, by the owner, which
   *       moves on. Who has frozen it, and whoever sees it frozen, may set {@link #fork}.
   * </ul>
   *
   * <p>The value says all there is to know about which rows are unclaimed, so a value that comes
   * back (rows handed back) misleads no compare-and-set.
   */
  private volatile long progress;

  /**
   * Who claims here. AVAILABLE to a worker: by compare-and-set, by that worker. A worker to
   * AVAILABLE: by that worker, as it leaves. Says who is to claim, and guards nothing: a claim is
   * by {@link #progress} alone. Who makes the children reads it after the freeze, and who leaves
   * looks for a freeze after having written it, so one of the two sees the other.
   */
  private volatile int owner;

  /**
   * The children; null while this is a leaf. Set once, by compare-and-set, by any worker that sees
   * this node frozen with rows left; all would make the same ranges.
   */
  private volatile TreeFork fork;

  private TreeNode(
      TreeNode parent,
      boolean right,
      long start,
      long until,
      boolean backward,
      int dealtTo,
      int owner) {
    this.parent = parent;
    this.right = right;
    this.start = start;
    this.until = until;
    this.backward = backward;
    this.dealtTo = dealtTo;
    this.owner = owner;
    this.depth = parent == null ? 0 : parent.depth + 1;
    // Plain publication is enough: a node is handed on by a volatile write.
    this.progress = backward ? until : start;
  }

  /** A node without a parent, of at least one row. */
  static TreeNode root(long start, long until, boolean backward, int dealtTo, int owner) {
    return new TreeNode(null, false, start, until, backward, dealtTo, owner);
  }

  /** The left child, which begins with this node's first unclaimed row. */
  TreeNode left(long from, long cut, boolean childBackward, int childOwner) {
    return new TreeNode(this, false, from, cut, childBackward, dealtTo, childOwner);
  }

  /** The right child. */
  TreeNode right(long cut, long end, boolean childBackward, int childOwner) {
    return new TreeNode(this, true, cut, end, childBackward, dealtTo, childOwner);
  }

  long progress() {
    return progress;
  }

  boolean compareAndSetProgress(long expected, long value) {
    return PROGRESS.compareAndSet(this, expected, value);
  }

  int owner() {
    return owner;
  }

  /** Makes a worker the owner, unless another one is. */
  boolean tryOwn(int worker) {
    return owner == worker || OWNER.compareAndSet(this, AVAILABLE, worker);
  }

  /** Gives the node up. Only its owner may call this. */
  void disown() {
    owner = AVAILABLE;
  }

  TreeFork fork() {
    return fork;
  }

  boolean trySetFork(TreeFork value) {
    return FORK.compareAndSet(this, null, value);
  }

  static boolean isFrozen(long progress) {
    return progress < 0;
  }

  static long frozen(long progress) {
    return ~progress;
  }

  /** First row that is unclaimed at this progress, frozen or not. */
  long unclaimedFrom(long at) {
    return backward ? start : position(at);
  }

  /** The row after the last that is unclaimed at this progress. */
  long unclaimedUntil(long at) {
    return backward ? position(at) : until;
  }

  /** Number of rows that are unclaimed at this progress. */
  long unclaimedRows(long at) {
    return unclaimedUntil(at) - unclaimedFrom(at);
  }

  private static long position(long progress) {
    return progress < 0 ? ~progress : progress;
  }

  @Override
  public String toString() {
    return "TreeNode["
        + start
        + ", "
        + until
        + ") progress "
        + progress
        + (backward ? " backward" : "")
        + ", owner "
        + owner;
  }
}
