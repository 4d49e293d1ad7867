package io.github.sparkgpusched.shims;

import java.nio.ByteBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.protocol.OneWayMessage;

/**
 * {@code TransportClient.send(ByteBuffer)}, which returns nothing up to Spark 4.2 and a future from
 * Spark 4.3 on (SPARK-57337), so that no compiled call is good for both. All versions write this
 * message.
 */
public final class OneWay {
  private OneWay() {}

  /** Sends a message that is not answered. The buffer is the transport's from here on. */
  @SuppressWarnings("FutureReturnValueIgnored") // as Spark does: nobody waits for such a message
  public static void send(TransportClient client, ByteBuffer message) {
    client.getChannel().writeAndFlush(new OneWayMessage(new NioManagedBuffer(message)));
  }
}
