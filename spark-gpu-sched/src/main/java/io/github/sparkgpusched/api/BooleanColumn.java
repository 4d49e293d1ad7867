package io.github.sparkgpusched.api;

/**
 * A column of booleans. Safe to read from several threads; see {@link Columns} for its lifetime and
 * errors.
 */
public interface BooleanColumn {
  /** The value at a row; unspecified if the row is null. */
  boolean get(int row);

  /** True if the row is null. */
  boolean isNull(int row);
}
