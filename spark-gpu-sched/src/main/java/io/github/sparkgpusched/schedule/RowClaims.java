package io.github.sparkgpusched.schedule;

/**
 * Which rows of one job nobody has claimed yet, and how its participants come by them. Thread-safe.
 * This is the strategy: a job uses one implementation, and nothing else knows how rows are dealt.
 *
 * <p>Each participant occupies one slot. The job's submitter has slot {@link #SUBMITTER} from the
 * job's start to its end; a helper has one from {@link #enter} to {@link #leave}. Rows in a slot
 * that nobody occupies stay claimable through {@code steal} and {@code enter}.
 */
interface RowClaims {
  /** Makes the claims of a job. */
  @FunctionalInterface
  interface Factory {
    /** All rows {@code [0, rows)} are unclaimed, and the submitter's slot is occupied. */
    RowClaims create(int rows, int slots, RangeCosts costs);
  }

  /** The submitter's slot. */
  int SUBMITTER = 0;

  /**
   * Occupies a free slot; what rows it holds are then the caller's to claim.
   *
   * @return the slot, or -1 if all are occupied
   */
  int enter();

  /** Gives a slot up. The rows left in it stay claimable. Only its occupant may call this. */
  void leave(int slot);

  /**
   * Claims the next rows of the caller's own slot, at least one if it has any. Only the slot's
   * occupant may call this.
   *
   * @param cost about how much the rows are to cost, in the job's cost units
   * @return the rows as a {@link Block}; {@link Block#NONE} if the slot is empty
   */
  long claim(int slot, double cost);

  /**
   * Hands back the rear of the block that the caller claimed last, from its own slot and before it
   * claims another: the rows are as if they had never been claimed. Only the slot's occupant may
   * call this.
   */
  void handBack(int slot, int from, int until);

  /**
   * Moves rows of another slot to the caller's own, which must be empty. Only the slot's occupant
   * may call this.
   *
   * @return false if no slot had any
   */
  boolean steal(int slot);

  /** True if these rows were not in this slot when the job began. */
  boolean isStolen(int slot, long block);

  /** Rows in a slot, at some moment during the call. */
  int rowsIn(int slot);

  /** Cost of all rows in slots; each slot is read once, one after the other. */
  double costLeft();

  /** True if no slot holds rows. Exact only while no participant is inside. */
  boolean isExhausted();
}
