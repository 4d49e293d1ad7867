package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.sparkgpusched.shims.TransportSettings;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.NoOpRpcHandler;
import org.apache.spark.network.util.TransportConf;
import scala.Option;

/** Somebody who does not belong to the application, and tries an executor's port. */
final class Stranger {
  /** Of Spark's transport: a request, and the answer to one that was accepted. */
  private static final int RPC_REQUEST = 3;

  private static final int RPC_RESPONSE = 4;

  private Stranger() {}

  /** A request without the secret, bytes that are none, and one that says it has two gigabytes. */
  static void sendsPlainBytes(String host, int port) throws IOException {
    byte[] take = {1, 1, 1, 0, 0, 0, 'x'};
    try (Socket socket = new Socket(host, port)) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeLong(8 + 1 + 8 + 4 + take.length);
      out.writeByte(RPC_REQUEST);
      out.writeLong(1);
      out.writeInt(take.length);
      out.write(take);
      assertNotEquals(RPC_RESPONSE, answer(socket));
    }
    for (long frame : new long[] {-1, 9, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      try (Socket socket = new Socket(host, port)) {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeLong(frame);
        out.write(new byte[64]);
        socket.shutdownOutput();
        assertNotEquals(RPC_RESPONSE, answer(socket));
      }
    }
  }

  /** What kind of message came back; -1 if the connection was closed. */
  private static int answer(Socket socket) throws IOException {
    socket.setSoTimeout((int) Waiting.PATIENCE.toMillis());
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readLong();
      return in.readByte();
    } catch (EOFException | SocketException e) {
      return -1;
    }
  }

  /**
   * Goes through Spark's handshake with a secret that is not the right one.
   *
   * @param settings of the application
   * @return why it was not let in
   */
  static String triesSecret(
      Map<String, String> settings, String application, String secret, String host, int port) {
    SparkConf spark = new SparkConf(false);
    settings.forEach(spark::set);
    SecurityManager security =
        new SecurityManager(
            spark,
            Option.empty(),
            org.apache.spark.internal.config.package$.MODULE$.AUTH_SECRET_FILE());
    TransportConf conf = TransportSettings.ofRpc(spark, security);
    SecretKeyHolder keys =
        new SecretKeyHolder() {
          @Override
          public String getSaslUser(String of) {
            return "sparkgpusched";
          }

          @Override
          public String getSecretKey(String of) {
            return secret;
          }
        };
    try (TransportContext context = new TransportContext(conf, new NoOpRpcHandler());
        TransportClientFactory clients =
            context.createClientFactory(
                List.of(new AuthClientBootstrap(conf, application, keys)))) {
      Exception refused = assertThrows(Exception.class, () -> clients.createClient(host, port));
      StringBuilder why = new StringBuilder();
      for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
        why.append(cause).append('\n');
      }
      return why.toString();
    }
  }
}
