package io.github.sparkgpusched.it.queries;

/** How a query's rows are asked for. */
enum QueryAction {
  COLLECTED,
  /** Kept in memory, and read from there. */
  CACHED,
  /** A partition at a time, each by a job of its own. */
  ITERATED,
  /** Written to Parquet, and read back. */
  WRITTEN,
  /** Some rows, whichever: tasks end before their last row, and some never begin. */
  TAKEN
}
