package io.github.sparkgpusched.api;

/**
 * The argument columns of a batch. Safe to read from several threads. Valid only during the call
 * that received it. A row or argument out of range is an {@link IndexOutOfBoundsException}; a
 * column read as another type is an {@link IllegalArgumentException} that names both types.
 */
public interface Columns {
  /** Number of arguments. */
  int count();

  /** Number of rows in the batch. */
  int rows();

  /** Argument of SQL type boolean. */
  BooleanColumn booleans(int argument);

  /** Argument of SQL type byte, short, int, or date (days since 1970-01-01). */
  IntColumn ints(int argument);

  /** Argument of SQL type long, or timestamp (microseconds since 1970-01-01T00:00:00Z). */
  LongColumn longs(int argument);

  /** Argument of SQL type float. */
  FloatColumn floats(int argument);

  /** Argument of SQL type double. */
  DoubleColumn doubles(int argument);

  /** Argument of SQL type string (as UTF-8) or binary. */
  BytesColumn bytes(int argument);

  /** Argument of an SQL array of a fixed-width type. */
  ArrayColumn arrays(int argument);
}
