package io.github.sparkgpusched.api;

/**
 * A column of doubles. Safe to read from several threads; see {@link Columns} for its lifetime and
 * errors.
 */
public interface DoubleColumn {
  /** The value at a row; unspecified if the row is null. */
  double get(int row);

  /** True if the row is null. */
  boolean isNull(int row);
}
