package io.github.sparkgpusched.api;

/**
 * A column of strings (UTF-8) or binaries. Safe to read from several threads; see {@link Columns}
 * for its lifetime.
 */
public interface BytesColumn {
  /** Length in bytes; 0 if the row is null. */
  int length(int row);

  /** The byte at an index in {@code [0, length(row))}. */
  byte get(int row, int index);

  /**
   * Copies a row's bytes to the start of an array.
   *
   * @return the number of bytes copied, {@code length(row)}
   * @throws IndexOutOfBoundsException if {@code into} is shorter than that
   */
  int copy(int row, byte[] into);

  /** True if the row is null. */
  boolean isNull(int row);

  /** A new array with a row's bytes. */
  default byte[] toBytes(int row) {
    byte[] bytes = new byte[length(row)];
    copy(row, bytes);
    return bytes;
  }
}
