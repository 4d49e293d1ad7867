package io.github.sparkgpusched.api;

/**
 * Receives the results of a range of rows. Used by one thread. A row outside the range is an {@link
 * IndexOutOfBoundsException}; a setter of another type than the UDF's result is an {@link
 * IllegalArgumentException}. A row may be set again; the last value stays.
 */
public interface ResultColumn {
  /** Result of SQL type boolean. */
  void setBoolean(int row, boolean value);

  /**
   * Result of SQL type byte or short (the low bits are kept), int, or date (days since 1970-01-01).
   */
  void setInt(int row, int value);

  /** Result of SQL type long, or timestamp (microseconds since 1970-01-01T00:00:00Z). */
  void setLong(int row, long value);

  /** Result of SQL type float. */
  void setFloat(int row, float value);

  /** Result of SQL type double. */
  void setDouble(int row, double value);

  /** Result of SQL type string, as UTF-8. The bytes are copied. */
  void setBytes(int row, byte[] utf8, int offset, int length);

  /** A null result. */
  void setNull(int row);
}
