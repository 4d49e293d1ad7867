package io.github.sparkgpusched.api;

/**
 * What one row costs, relative to the other rows of its batch. Must be far cheaper than the row
 * itself.
 */
@FunctionalInterface
public interface CostHint {
  /**
   * The relative cost of a row, in any unit, at least 0. Called once per row, in order, by one
   * thread, for rows for which the call is made, and without null arguments (unless the UDF takes
   * nulls). NaN, negative and infinite values count as 1.
   */
  double cost(Columns arguments, int row);
}
