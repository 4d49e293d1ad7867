package io.github.sparkgpusched.api;

/**
 * A column of arrays of a fixed-width type. Safe to read from several threads; see {@link Columns}
 * for its lifetime. An element read as another type is an {@link IllegalArgumentException}. For a
 * tight loop copy the row's elements to a scratch array first: one bounds check instead of one an
 * element.
 */
public interface ArrayColumn {
  /** Number of elements; 0 if the row is null. */
  int length(int row);

  /** True if the row itself is null. */
  boolean isNull(int row);

  /** True if an element is null. */
  boolean isNull(int row, int index);

  /** True if any element of the row is null. */
  boolean hasNullElement(int row);

  /** Element of an array of booleans. */
  boolean getBoolean(int row, int index);

  /** Element of an array of bytes, shorts, ints or dates. */
  int getInt(int row, int index);

  /** Element of an array of longs or timestamps. */
  long getLong(int row, int index);

  /** Element of an array of floats. */
  float getFloat(int row, int index);

  /** Element of an array of doubles. */
  double getDouble(int row, int index);

  /**
   * The row's doubles at the start of an array.
   *
   * @param reuse used if it is long enough, else a new and larger one is made; may be null
   * @return the array that holds the elements in {@code [0, length(row))}
   */
  double[] doubles(int row, double[] reuse);
}
