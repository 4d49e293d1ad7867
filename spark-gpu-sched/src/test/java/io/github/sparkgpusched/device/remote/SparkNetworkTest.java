package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.LogLines;
import io.github.sparkgpusched.testing.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may talk to an executor: with Spark's own handshake (encrypted), and with that of SASL. */
class SparkNetworkTest {
  private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
  private static final long LONG_MILLIS = 60_000;

  private final AtomicInteger came = new AtomicInteger();
  private SparkNetwork server;

  private static SparkNetwork network(boolean encrypted, String secret, long mostMillis) {
    return network(HOST, encrypted, secret, mostMillis);
  }

  private static SparkNetwork network(
      String address, boolean encrypted, String secret, long mostMillis) {
    Map<String, String> conf =
        Map.of(
            "spark.network.crypto.enabled",
            String.valueOf(encrypted),
            "spark.rpc.io.serverThreads",
            "1");
    return new SparkNetwork(
        new TransportConf("rpc", new MapConfigProvider(conf)), address, "app", secret, mostMillis);
  }

  private void serve(boolean encrypted, long mostMillis) {
    server = network(encrypted, "right", mostMillis);
    server.begin(
        new Inbox() {
          @Override
          public void receive(Link from, ByteBuffer message) {
            came.incrementAndGet();
          }

          @Override
          public void receive(Link from, ByteBuffer message, RpcResponseCallback answer) {
            came.incrementAndGet();
            answer.onSuccess(ByteBuffer.wrap(new byte[] {1}));
          }

          @Override
          public void gone(Link link) {}
        });
  }

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoKnowsTheSecretIsHeardAndNobodyElse(boolean encrypted) throws Exception {
    serve(encrypted, LONG_MILLIS);
    try (SparkNetwork right = network(encrypted, "right", LONG_MILLIS)) {
      assertEquals(1, ask(right, server.port()));
    }
    try (SparkNetwork wrong = network(encrypted, "wrong", LONG_MILLIS)) {
      // Whatever Spark throws: it differs between the two.
      assertThrows(Exception.class, () -> ask(wrong, server.port()));
    }
    assertEquals(1, came.get());
  }

  private static int ask(SparkNetwork from, int port) throws IOException, InterruptedException {
    return from.to(new Peer("1", HOST, port, 1))
        .ask(ByteBuffer.allocate(1), Patience.MILLIS)
        .remaining();
  }

  /** The server's part in the handshake is new each time, so that what follows does not fit. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasRecordedIsWorthNothing(boolean encrypted) throws Exception {
    serve(encrypted, LONG_MILLIS);
    byte[] recorded;
    try (Recorder recorder = new Recorder(server.port());
        SparkNetwork right = network(encrypted, "right", LONG_MILLIS)) {
      assertEquals(1, ask(right, recorder.port()));
      recorded = recorder.bytes();
    }
    try (Socket socket = new Socket(HOST, server.port())) {
      socket.getOutputStream().write(recorded);
      socket.shutdownOutput();
      awaitEnd(socket);
    }
    assertEquals(1, came.get());
  }

  /** A connection with one of this host's own addresses. */
  private Socket loopback(int last) throws IOException {
    byte[] address = {127, 0, 0, (byte) last};
    return new Socket(InetAddress.getByAddress(address), server.port());
  }

  @Test
  void nothingListensOnOtherAddresses() throws IOException {
    serve(false, LONG_MILLIS);
    try (Socket socket = loopback(1)) {
      assertTrue(socket.isConnected());
    }
    assertThrows(ConnectException.class, () -> loopback(2).close());
  }

  /** As where others know the executor by an address that is translated on the way. */
  @Test
  void whatCannotBeBoundIsNoReasonToShareNothing() throws IOException {
    try (LogLines log = new LogLines(SparkNetwork.class)) {
      server = network("192.0.2.1", false, "right", LONG_MILLIS); // nobody's
      assertEquals(1, log.warnings().size());
      assertTrue(log.warnings().get(0).startsWith("cannot listen on 192.0.2.1 ("));
    }
    try (Socket socket = loopback(2)) {
      assertTrue(socket.isConnected());
    }
  }

  @Test
  void itListensWhereSparkDoes() {
    assertEquals("pod", SparkNetwork.bindAddress("", "pod"));
    String command = "org.apache.spark.executor.Backend --driver-url spark://x --hostname pod";
    assertEquals("pod", SparkNetwork.bindAddress(command, "pod"));
    assertEquals(
        "0.0.0.0", SparkNetwork.bindAddress(command + " --bind-address 0.0.0.0 --cores 1", "pod"));
    assertEquals("pod", SparkNetwork.bindAddress(command + " --bind-address", "pod"));
  }

  @Test
  void whoSaysNothingIsLeft() throws IOException {
    serve(false, 100);
    try (Socket socket = new Socket(HOST, server.port())) {
      awaitEnd(socket);
    }
  }

  @Test
  void whoKnowsTheSecretMayBeSilent() throws Exception {
    try (SparkNetwork right = network(false, "right", LONG_MILLIS)) {
      Link link = null;
      // On a busy machine a handshake may take longer than a stranger may.
      int strangerMillis = 500;
      while (link == null) {
        strangerMillis *= 4;
        serve(false, strangerMillis);
        try {
          link = right.to(new Peer("1", HOST, server.port(), 1));
        } catch (IOException e) {
          assertTrue(strangerMillis < Patience.MILLIS, () -> "no handshake: " + e);
          server.close();
        }
      }
      Thread.sleep(strangerMillis + 1_000); // longer than a stranger may
      assertEquals(1, link.ask(ByteBuffer.allocate(1), Patience.MILLIS).remaining());
    }
  }

  /** A frame may have two gigabytes, but not before its sender has shown the secret. */
  @Test
  void aStrangerIsNotHeardOut() throws IOException {
    serve(false, LONG_MILLIS);
    try (Socket socket = new Socket(HOST, server.port())) {
      socket.getOutputStream().write(ByteBuffer.allocate(8).putLong(Integer.MAX_VALUE).array());
      assertThrows(
          SocketException.class,
          () -> {
            for (int i = 0; i < 1 << 11; i++) { // 64 MB
              socket.getOutputStream().write(new byte[1 << 15]);
            }
          });
    }
    assertEquals(0, came.get());
  }

  /** Waits until the server has closed the connection; what it says until then does not matter. */
  private static void awaitEnd(Socket socket) throws IOException {
    socket.setSoTimeout(Patience.MILLIS);
    try {
      while (socket.getInputStream().read() >= 0) {
        // goes on
      }
    } catch (SocketException e) {
      // Closed with bytes of ours unread.
    }
  }
}
