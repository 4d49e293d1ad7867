package io.github.sparkgpusched.device.remote;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.crypto.AuthServerBootstrap;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.AbstractAuthRpcHandler;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.TransportServerBootstrap;
import org.apache.spark.network.util.TransportConf;

/**
 * Spark's check of who connects, and bounds for those that have not passed it: Spark would keep
 * their connections, and up to two gigabytes of what they send, for as long as they like.
 */
final class Guard implements TransportServerBootstrap {
  /** Of a handshake, which takes some hundreds. */
  private static final long MOST_BYTES = 64 << 10;

  /** The name of the last handler in Spark's pipelines. */
  private static final String SPARKS_HANDLER = "handler";

  static final String NO_SECRET = "has not shown the secret";

  private final TransportServerBootstrap check;
  private final Strangers strangers;
  private final long mostMillis;

  /**
   * @param mostMillis that a handshake may take
   */
  Guard(TransportConf conf, SecretKeyHolder keys, Strangers strangers, long mostMillis) {
    this.check = new AuthServerBootstrap(conf, keys);
    this.strangers = strangers;
    this.mostMillis = mostMillis;
  }

  @Override
  public RpcHandler doBootstrap(Channel channel, RpcHandler handler) {
    AbstractAuthRpcHandler checked = (AbstractAuthRpcHandler) check.doBootstrap(channel, handler);
    channel.pipeline().addFirst(new Door(checked));
    return new QuietHandler(checked, strangers);
  }

  private static void close(ChannelHandlerContext context) {
    Future<?> unused = context.close(); // nobody waits
  }

  /** Before all handlers but that of TLS. The connection's thread only. */
  private final class Door extends ChannelInboundHandlerAdapter {
    private final AbstractAuthRpcHandler checked;
    private long bytes;
    private Future<?> end;

    Door(AbstractAuthRpcHandler checked) {
      this.checked = checked;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      end =
          context
              .executor()
              .schedule(() -> closeStranger(context), mostMillis, TimeUnit.MILLISECONDS);
      if (context.pipeline().get(SPARKS_HANDLER) != null) {
        context.pipeline().addBefore(SPARKS_HANDLER, null, new Complaints(checked));
      }
      super.channelActive(context);
    }

    private void closeStranger(ChannelHandlerContext context) {
      if (!checked.isAuthenticated()) {
        close(context);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      if (!checked.isAuthenticated() && message instanceof ByteBuf part) {
        bytes += part.readableBytes();
        if (bytes > MOST_BYTES) {
          part.release();
          close(context);
          return;
        }
      }
      super.channelRead(context, message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
      if (end != null) {
        end.cancel(false);
      }
      if (!checked.isAuthenticated()) {
        strangers.refused(context.channel().remoteAddress(), NO_SECRET);
      }
      super.channelInactive(context);
    }
  }

  /** Of a connection's decoders, which it hears before Spark's handler logs them with a stack. */
  private final class Complaints extends ChannelInboundHandlerAdapter {
    private final AbstractAuthRpcHandler checked;

    Complaints(AbstractAuthRpcHandler checked) {
      this.checked = checked;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
      if (checked.isAuthenticated()) {
        super.exceptionCaught(context, cause);
      } else {
        strangers.refused(context.channel().remoteAddress(), NO_SECRET);
        close(context);
      }
    }
  }
}
