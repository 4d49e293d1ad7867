package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.shims.OneWay;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;

/** A connection of Spark's transport. */
final class SparkLink implements Link {
  private final TransportClient client;

  SparkLink(TransportClient client) {
    this.client = client;
  }

  @Override
  public boolean isActive() {
    return client.isActive();
  }

  @Override
  public void send(ByteBuffer message) {
    OneWay.send(client, message);
  }

  @Override
  public void ask(ByteBuffer message, RpcResponseCallback answer) {
    client.sendRpc(message, answer);
  }

  @Override
  public ByteBuffer ask(ByteBuffer message, long timeoutMillis) throws IOException {
    try {
      return Message.copy(client.sendRpcSync(message, timeoutMillis));
    } catch (RuntimeException e) { // whatever has gone wrong, and the time that is over
      throw new IOException(e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SparkLink that && client.getChannel() == that.client.getChannel();
  }

  @Override
  public int hashCode() {
    return client.getChannel().hashCode();
  }
}
