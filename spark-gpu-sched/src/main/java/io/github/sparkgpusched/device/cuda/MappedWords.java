package io.github.sparkgpusched.device.cuda;

import com.sun.jna.Pointer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Words in mapped host memory that this process and a running kernel share: each is read and
 * written whole. Offsets are in bytes, multiples of a word's size. Owner's thread only.
 */
final class MappedWords {
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ByteBuffer words;

  MappedWords(long address, int bytes) {
    words = new Pointer(address).getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
  }

  /** What the device did before it wrote what is read here is seen by what is read after it. */
  long acquireLong(int at) {
    return (long) LONGS.getAcquire(words, at);
  }

  /** What was written before is seen by the device once it sees this. */
  void releaseLong(int at, long value) {
    LONGS.setRelease(words, at, value);
  }

  void setLong(int at, long value) {
    LONGS.setOpaque(words, at, value);
  }

  /** A counter that the device writes now and then. */
  long counter(int at) {
    return (long) LONGS.getOpaque(words, at);
  }

  /** A counter of 32 bits. */
  int intCounter(int at) {
    return (int) INTS.getOpaque(words, at);
  }
}
