package io.github.sparkgpusched.device.remote;

import java.nio.ByteBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.AbstractAuthRpcHandler;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;

/**
 * Says once what Spark would log with its stack for each try: that somebody has not shown the
 * secret. The connection's thread only.
 */
final class QuietHandler extends RpcHandler {
  private final AbstractAuthRpcHandler checked;
  private final Strangers strangers;

  QuietHandler(AbstractAuthRpcHandler checked, Strangers strangers) {
    this.checked = checked;
    this.strangers = strangers;
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback answer) {
    if (checked.isAuthenticated()) {
      checked.receive(client, message, answer);
      return;
    }
    try {
      checked.receive(client, message, answer);
    } catch (RuntimeException e) { // whatever the handshake says of what came
      refuse(client);
      answer.onFailure(new SecurityException("refused"));
    }
  }

  @Override
  public void receive(TransportClient client, ByteBuffer message) {
    if (checked.isAuthenticated()) {
      checked.receive(client, message);
    } else {
      refuse(client);
    }
  }

  @Override
  public StreamCallbackWithID receiveStream(
      TransportClient client, ByteBuffer header, RpcResponseCallback answer) {
    return checked.receiveStream(client, header, answer);
  }

  private void refuse(TransportClient client) {
    strangers.refused(client.getSocketAddress(), Guard.NO_SECRET);
  }

  @Override
  public StreamManager getStreamManager() {
    return checked.getStreamManager();
  }

  @Override
  public void channelActive(TransportClient client) {
    checked.channelActive(client);
  }

  @Override
  public void channelInactive(TransportClient client) {
    checked.channelInactive(client);
  }

  @Override
  public void exceptionCaught(Throwable cause, TransportClient client) {
    checked.exceptionCaught(cause, client);
  }
}
