package io.github.sparkgpusched.device.remote;

import java.nio.ByteBuffer;
import org.apache.spark.network.client.RpcResponseCallback;

/** Takes what other executors send. Threads of the network; messages of a link come in order. */
interface Inbox {
  /**
   * A message that has no answer.
   *
   * @throws RuntimeException if it is none of ours
   */
  void receive(Link from, ByteBuffer message);

  /**
   * A message that has one.
   *
   * @throws RuntimeException if it is none of ours; that is then the answer
   */
  void receive(Link from, ByteBuffer message, RpcResponseCallback answer);

  /** The other end is gone. */
  void gone(Link link);
}
