package io.github.sparkgpusched.schedule.strategy;

/**
 * Relative costs of ranges of a job, as prefix sums. Immutable once a job has begun; safe to read
 * from all threads.
 */
public interface RangeCosts {
  /** Every row costs 1. */
  RangeCosts UNIFORM =
      new RangeCosts() {
        @Override
        public double between(long from, long until) {
          return until - from;
        }

        @Override
        public long reach(long from, long until, double cost) {
          return cost >= until - from ? until : from + Math.max(1, (long) cost);
        }
      };

  /** These costs, or uniform ones if all rows' costs sum to 0 or to no number. */
  static RangeCosts usable(RangeCosts costs, long rows) {
    return saysSomething(costs.between(0, rows)) ? costs : UNIFORM;
  }

  /** True if rows can be told apart by a sum of costs: it is neither 0, nor infinite, nor none. */
  static boolean saysSomething(double cost) {
    return cost > 0 && cost < Double.POSITIVE_INFINITY;
  }

  /** Cost of rows {@code [from, until)}; at least 0. */
  double between(long from, long until);

  /**
   * The least end in {@code (from, until]} such that {@code [from, end)} costs at least {@code
   * cost}; else until.
   */
  long reach(long from, long until, double cost);
}
