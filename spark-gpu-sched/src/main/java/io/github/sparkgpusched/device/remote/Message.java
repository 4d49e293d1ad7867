package io.github.sparkgpusched.device.remote;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What executors send each other: a byte that says what it is, then its parts, in the byte order of
 * the machine.
 */
enum Message {
  /**
   * Wants a core: {@link #PROTOCOL}, the byte order, the borrower's id. Answered by the lane, or
   * -1.
   */
  TAKE(1),
  /** Rows to be computed: see {@link BlockMessage}. */
  RUN(2),
  /** The rows are not wanted any more: lane, block. */
  CANCEL(3),
  /** The core is not wanted any more: lane. */
  GIVE(4),
  /** A lender has cores for who wanted some: id, host, port, cores. */
  HELP(5);

  /**
   * Goes up with each change of what a message is: jars of two builds may meet on a cluster. Not 0
   * or 1, which once were byte orders at its place.
   */
  static final byte PROTOCOL = 3;

  private final byte code;

  Message(int code) {
    this.code = (byte) code;
  }

  /** A buffer of an array, with so much room behind the byte. */
  ByteBuffer begin(int bytes) {
    return buffer(1 + bytes).put(code);
  }

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }

  /** A copy of what came, which is valid only while it is handed over. */
  static ByteBuffer copy(ByteBuffer came) {
    ByteBuffer copy = buffer(came.remaining());
    copy.put(came.duplicate());
    copy.flip();
    return copy;
  }

  /**
   * Reads the byte.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static Message of(ByteBuffer in) {
    byte what = in.get();
    for (Message message : values()) {
      if (message.code == what) {
        return message;
      }
    }
    throw new IllegalArgumentException("no message begins with " + what);
  }

  /** The byte order of the machine, which all that take part must have. */
  static byte order() {
    return (byte) (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 0);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static void putText(ByteBuffer out, byte[] utf8) {
    out.putInt(utf8.length).put(utf8);
  }

  static String text(ByteBuffer in) {
    int bytes = in.getInt();
    if (bytes < 0 || bytes > in.remaining()) {
      throw new IllegalArgumentException("a text of " + bytes + " bytes");
    }
    byte[] utf8 = new byte[bytes];
    in.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
