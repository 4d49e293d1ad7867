package io.github.sparkgpusched.device.cudf;

/** Parts of one allocation, each at a multiple of 64 bytes. One thread's. */
final class Layout {
  private long bytes;

  /** Room for a part; gives where it begins. */
  long add(long size) {
    long begin = bytes;
    bytes += (size + 63) & ~63L;
    return begin;
  }

  /** Bytes of all parts. */
  long bytes() {
    return bytes;
  }
}
