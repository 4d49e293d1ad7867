package io.github.sparkgpusched.api;

/**
 * The host form of a {@link GpuUdf} over primitive columns. Usually a method reference: {@code
 * this::batch}.
 */
@FunctionalInterface
public interface BatchMethod {
  /**
   * Computes rows {@code [from, until)}. Several threads call this at once, each on its own copy of
   * the UDF and on ranges that do not overlap. Unless the UDF {@linkplain GpuUdf#takesNulls takes
   * nulls}, no argument of a row in the range is null. A row that is not set in {@code out} is
   * null.
   *
   * @param arguments the argument columns; valid during the call only
   * @param from first row, inclusive
   * @param until last row, exclusive
   * @param out receives the results of these rows, and of no others
   * @throws Exception if a row cannot be computed; the task fails with the UDF's name and, where a
   *     row of the range fails alone, its values
   */
  void compute(Columns arguments, int from, int until, ResultColumn out) throws Exception;
}
