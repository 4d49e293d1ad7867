package io.github.sparkgpusched.device.remote;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.spark.network.client.RpcResponseCallback;

/**
 * A connection with another executor. Equal to another if it is the same connection. Thread-safe.
 */
interface Link {
  /** Whether the other one can be reached, as far as is known. */
  boolean isActive();

  /** Sends what has no answer, and does not wait. */
  void send(ByteBuffer message);

  /**
   * Sends, and does not wait.
   *
   * @param answer is told once, by any thread, perhaps in this call
   */
  void ask(ByteBuffer message, RpcResponseCallback answer);

  /**
   * Sends, and waits for the answer, in native order.
   *
   * @throws IOException if none comes in time
   */
  ByteBuffer ask(ByteBuffer message, long timeoutMillis) throws IOException;
}
