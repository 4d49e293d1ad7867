package io.github.sparkgpusched.columnar;

import org.apache.spark.unsafe.Platform;

/** Copies between off-heap addresses and Java arrays. The caller has checked every bound. */
final class OffHeap {
  private OffHeap() {}

  static byte getByte(long address) {
    return Platform.getByte(null, address);
  }

  static void copyTo(long address, byte[] into, int bytes) {
    Platform.copyMemory(null, address, into, Platform.BYTE_ARRAY_OFFSET, bytes);
  }

  static void copyTo(long address, double[] into, int count) {
    Platform.copyMemory(null, address, into, Platform.DOUBLE_ARRAY_OFFSET, 8L * count);
  }

  static void copyFrom(byte[] from, int offset, long address, int bytes) {
    Platform.copyMemory(from, (long) Platform.BYTE_ARRAY_OFFSET + offset, null, address, bytes);
  }
}
