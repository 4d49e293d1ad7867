package io.github.sparkgpusched.schedule.strategy.fill;

/**
 * A block that was claimed and neither committed nor handed back. Guarded by the dealer's lock.
 *
 * <p>The rows of a block may be opened again for others. Then the block is the <em>root</em> of all
 * blocks that are claimed of them, and keeps which of its rows are committed: whoever commits a row
 * first publishes it.
 */
final class Flight {
  final FillUpDevice device;
  final long from;
  final long until;
  final double cost;

  /** Estimated work: time on a device of speed 1, in nanoseconds; 0 while nothing is known. */
  double work;

  /** When its launch should be through, if nothing else is in flight on the device. */
  double readyNanos;

  /** Where it was taken from, and whether from the segment's front. */
  final Segment segment;

  final boolean front;

  /** What its time tells of: the end of the segment that it was taken from, as that was then. */
  final Border border;

  /** The block whose rows these are, too; this one itself if its rows are in no other. */
  final Flight root;

  /** True once these rows may be claimed by others. */
  boolean reopened;

  /** Of a root: rows committed, as soon as two blocks have had some of them. */
  final RowRanges committed = new RowRanges();

  Flight(
      FillUpDevice device,
      long from,
      long until,
      double cost,
      double work,
      Segment segment,
      boolean front) {
    this.device = device;
    this.from = from;
    this.until = until;
    this.cost = cost;
    this.work = work;
    this.segment = segment;
    this.front = front;
    this.border = front ? segment.left : segment.right;
    this.root = segment.reopened == null ? this : segment.reopened;
  }

  /** True if there is nothing left of it to publish. */
  boolean isCommittedByOthers() {
    return root.committed.contains(from, until);
  }

  /** Estimates the work of a probe, which was claimed before anything was known. */
  void estimate(double density) {
    if (work == 0) {
      work = cost * density;
    }
  }

  /**
   * The oldest block on its device takes longer than was thought. Either its rows are heavier, or
   * the device is slow or has stopped, which nobody can tell yet. They count as heavier: if they
   * are, blocks of what is thought of them now are still too large and not far too large; if they
   * are not, that costs a few launches.
   */
  void hasTaken(double nowNanos) {
    if (device.flights.get(0) == this) {
      work = Math.max(work, (nowNanos - readyNanos) * device.speed());
    }
  }

  /** What is thought of its rows. */
  Border guess() {
    return work > 0 ? Border.guess(work / cost, cost, false) : Border.unknown(false);
  }
}
