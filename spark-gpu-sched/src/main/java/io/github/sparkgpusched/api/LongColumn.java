package io.github.sparkgpusched.api;

/**
 * A column of longs, or of timestamps (microseconds since 1970-01-01T00:00:00Z). Safe to read from
 * several threads; see {@link Columns} for its lifetime and errors.
 */
public interface LongColumn {
  /** The value at a row; unspecified if the row is null. */
  long get(int row);

  /** True if the row is null. */
  boolean isNull(int row);
}
