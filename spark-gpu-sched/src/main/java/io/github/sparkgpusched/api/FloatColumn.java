package io.github.sparkgpusched.api;

/**
 * A column of floats. Safe to read from several threads; see {@link Columns} for its lifetime and
 * errors.
 */
public interface FloatColumn {
  /** The value at a row; unspecified if the row is null. */
  float get(int row);

  /** True if the row is null. */
  boolean isNull(int row);
}
