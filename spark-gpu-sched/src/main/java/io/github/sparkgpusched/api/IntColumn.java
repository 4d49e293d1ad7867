package io.github.sparkgpusched.api;

/**
 * A column of bytes, shorts, ints, or dates (days since 1970-01-01). Safe to read from several
 * threads; see {@link Columns} for its lifetime and errors.
 */
public interface IntColumn {
  /** The value at a row; unspecified if the row is null. */
  int get(int row);

  /** True if the row is null. */
  boolean isNull(int row);
}
