package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.shims.TransportSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.OneForOneStreamManager;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.server.TransportServerBootstrap;
import org.apache.spark.network.util.TransportConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spark's transport, with its settings for authentication, encryption and TLS. Where Spark asks for
 * no authentication, a secret of the application guards the port all the same.
 */
final class SparkNetwork implements Network {
  private static final Logger LOG = LoggerFactory.getLogger(SparkNetwork.class);

  private static final long HANDSHAKE_MILLIS = TimeUnit.SECONDS.toMillis(60);

  private final Strangers strangers = new Strangers();
  private final TransportContext context;
  private final TransportServer server;
  private final TransportClientFactory clients;

  /** Null until {@link #begin}. Written once. */
  private volatile Inbox inbox;

  /**
   * @param address that it listens on; on all, if it cannot be bound
   * @param application its id
   * @param secret of the application, from the driver
   * @param mostMillis that others may take to show that they know it
   */
  SparkNetwork(
      TransportConf transport, String address, String application, String secret, long mostMillis) {
    SecretKeyHolder keys = new Secret(secret);
    this.context = new TransportContext(transport, new Handler());
    this.server = listen(address, List.of(new Guard(transport, keys, strangers, mostMillis)));
    this.clients =
        context.createClientFactory(List.of(new AuthClientBootstrap(transport, application, keys)));
  }

  private TransportServer listen(String address, List<TransportServerBootstrap> guards) {
    try {
      return context.createServer(address, 0, guards);
    } catch (Exception e) {
      // Exception: Netty throws BindException, and does not declare it.
      LOG.warn(
          "cannot listen on {} ({}): on all addresses of this host, then", address, e.toString());
      return context.createServer(0, guards);
    }
  }

  /**
   * With Spark's settings, on an executor.
   *
   * @param host where others find this executor
   * @param secret of the application, from the driver
   */
  static SparkNetwork of(SparkConf conf, String host, String secret) {
    return new SparkNetwork(
        TransportSettings.ofRpc(impatient(conf), SparkEnv.get().securityManager()),
        bindAddress(System.getProperty("sun.java.command", ""), host),
        conf.getAppId(),
        secret,
        HANDSHAKE_MILLIS);
  }

  /**
   * What Spark has an executor's own ports bind to: what its command says, else the host by which
   * others know it. Spark keeps it to itself.
   *
   * @param command of the JVM
   */
  static String bindAddress(String command, String host) {
    List<String> words = Arrays.asList(command.split(" "));
    int at = words.indexOf("--bind-address");
    return at >= 0 && at + 1 < words.size() ? words.get(at + 1) : host;
  }

  /**
   * One thread connects with all, one after the other: a host that is gone is not to hold it up for
   * the two minutes that are Spark's default.
   */
  static SparkConf impatient(SparkConf conf) {
    return conf.clone()
        .setIfMissing("spark.rpc.io.connectionCreationTimeout", "5s")
        .setIfMissing("spark.network.auth.rpcTimeout", "10s");
  }

  @Override
  public void begin(Inbox of) {
    inbox = of;
  }

  @Override
  public int port() {
    return server.getPort();
  }

  @Override
  public Link to(Peer peer) throws IOException, InterruptedException {
    return new SparkLink(clients.createClient(peer.host(), peer.port()));
  }

  @Override
  public void close() {
    server.close();
    clients.close();
    context.close();
  }

  private final class Handler extends RpcHandler {
    private final StreamManager streams = new OneForOneStreamManager();

    private Inbox inbox() {
      Inbox begun = inbox;
      if (begun == null) {
        throw new IllegalStateException("the executor has not begun");
      }
      return begun;
    }

    @Override
    public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback answer) {
      inbox().receive(new SparkLink(client), message, answer);
    }

    @Override
    public void receive(TransportClient client, ByteBuffer message) {
      inbox().receive(new SparkLink(client), message);
    }

    @Override
    public void channelInactive(TransportClient client) {
      Inbox begun = inbox;
      if (begun != null) {
        begun.gone(new SparkLink(client));
      }
    }

    @Override
    public void exceptionCaught(Throwable cause, TransportClient client) {
      if (cause instanceof IOException) {
        LOG.debug("connection with {}", client.getSocketAddress(), cause); // killed, most likely
      } else {
        strangers.refused(client.getSocketAddress(), "sends what is no message: " + cause);
      }
    }

    @Override
    public StreamManager getStreamManager() {
      return streams;
    }
  }

  /** One secret for all. */
  private record Secret(String secret) implements SecretKeyHolder {
    @Override
    public String getSaslUser(String application) {
      return "sparkgpusched";
    }

    @Override
    public String getSecretKey(String application) {
      return secret;
    }
  }
}
