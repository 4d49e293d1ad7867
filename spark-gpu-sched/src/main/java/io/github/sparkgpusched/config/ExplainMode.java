package io.github.sparkgpusched.config;

/** Which expressions of a plan the plugin speaks about; see {@link QueryKeys#EXPLAIN}. */
public enum ExplainMode {
  /** None. */
  NONE,
  /** Those that stayed row by row, with the reason. */
  NOT_BATCHED,
  /** All: also those that are batched. */
  ALL
}
