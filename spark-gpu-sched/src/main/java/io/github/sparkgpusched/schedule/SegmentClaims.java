package io.github.sparkgpusched.schedule;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * One segment of rows a slot. Its occupant claims blocks at the front; a thief takes the back half,
 * by cost, of the segment with most cost left. At the start the submitter's slot holds every row,
 * so a job that nobody helps pays one uncontended compare-and-set a block and nothing else.
 *
 * <p>Between a thief's two writes its rows are in no slot. Who looks just then sees less than there
 * is, and may leave the job early; no row is lost by that, since the thief computes them, or leaves
 * them in its slot, before it leaves, and the submitter looks again when all have left.
 */
final class SegmentClaims implements RowClaims {
  private final RangeCosts costs;

  /**
   * A slot's unclaimed rows as a {@link Block}. While it holds rows: the occupant moves its start
   * on, or back when it hands rows back, and a thief moves its end back, all by compare-and-set of
   * the whole word. While it is empty: only the occupant writes it, to rows that it has stolen or
   * hands back, so a plain volatile write does. A row that is claimed is in no word, and a word
   * says all there is to know about its slot, so a word that comes back (rows handed back, or
   * stolen away and stolen back) misleads no compare-and-set.
   */
  private final PaddedLongs words;

  /**
   * 1 while a slot is occupied. 0 to 1: by compare-and-set, by the participant that enters; 1 to 0:
   * by that participant as it leaves. The submitter's is 1 from the start, for good.
   */
  private final AtomicIntegerArray occupied;

  SegmentClaims(int rows, int slots, RangeCosts costs) {
    this.costs = costs;
    this.words = new PaddedLongs(slots);
    this.occupied = new AtomicIntegerArray(slots);
    words.set(SUBMITTER, Block.of(0, rows));
    occupied.set(SUBMITTER, 1);
  }

  @Override
  public int enter() {
    while (true) {
      int best = -1;
      double most = -1;
      for (int i = 0; i < words.length(); i++) {
        if (occupied.get(i) == 0) {
          double cost = cost(words.get(i));
          // Not "cost > most": a cost hint that gives NaN must not hide a slot.
          if (best < 0 || !(cost <= most)) {
            best = i;
            most = cost;
          }
        }
      }
      if (best < 0 || occupied.compareAndSet(best, 0, 1)) {
        return best;
      }
    }
  }

  @Override
  public void leave(int slot) {
    occupied.set(slot, 0);
  }

  @Override
  public long claim(int slot, double cost) {
    while (true) {
      long word = words.get(slot);
      if (Block.isEmpty(word)) {
        return Block.NONE;
      }
      int from = Block.from(word);
      int until = Block.until(word);
      int end = (int) Math.max(from + 1L, Math.min(until, costs.reach(from, until, cost)));
      if (words.compareAndSet(slot, word, Block.of(end, until))) {
        return Block.of(from, end);
      }
    }
  }

  @Override
  public void handBack(int slot, int from, int until) {
    while (true) {
      long word = words.get(slot);
      if (Block.isEmpty(word)) {
        words.set(slot, Block.of(from, until));
        return;
      }
      // What is left begins where the block ended: a thief takes from the rear only.
      if (words.compareAndSet(slot, word, Block.of(from, Block.until(word)))) {
        return;
      }
    }
  }

  @Override
  public boolean steal(int slot) {
    while (true) {
      int victim = -1;
      long loot = Block.NONE;
      double most = -1;
      for (int i = 0; i < words.length(); i++) {
        long word = i == slot ? Block.NONE : words.get(i);
        if (!Block.isEmpty(word)) {
          double cost = cost(word);
          if (victim < 0 || !(cost <= most)) {
            victim = i;
            loot = word;
            most = cost;
          }
        }
      }
      if (victim < 0) {
        return false;
      }
      int from = Block.from(loot);
      int split = split(from, Block.until(loot));
      if (words.compareAndSet(victim, loot, Block.of(from, split))) {
        words.set(slot, Block.of(split, Block.until(loot)));
        return true;
      }
    }
  }

  /**
   * Where a thief cuts: at half the cost, each side at least one row; a single row is all taken.
   */
  private int split(int from, int until) {
    if (until - from == 1) {
      return from;
    }
    long half = costs.reach(from, until, costs.between(from, until) / 2);
    return (int) Math.max(from + 1L, Math.min(until - 1L, half));
  }

  @Override
  public boolean isStolen(int slot, long block) {
    return slot != SUBMITTER;
  }

  @Override
  public int rowsIn(int slot) {
    return Block.rows(words.get(slot));
  }

  @Override
  public double costLeft() {
    double sum = 0;
    for (int i = 0; i < words.length(); i++) {
      sum += cost(words.get(i));
    }
    return sum;
  }

  @Override
  public boolean isExhausted() {
    for (int i = 0; i < words.length(); i++) {
      if (!Block.isEmpty(words.get(i))) {
        return false;
      }
    }
    return true;
  }

  private double cost(long word) {
    return Block.isEmpty(word) ? 0 : costs.between(Block.from(word), Block.until(word));
  }
}
