package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.RemoteApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Executors that share cores while Spark authenticates and encrypts, and strangers that try their
 * ports. That a handshake which was recorded is worth nothing is the plugin's SparkNetworkTest's.
 */
@Tag("cluster")
class RemoteSecurityTest {
  private static final String SECRET = "known to the whole cluster";
  private static final String PASSWORD = "changeit";

  private static final Map<String, String> AUTHENTICATED =
      Map.of("spark.authenticate", "true", "spark.authenticate.secret", SECRET);

  private static final Map<String, String> ENCRYPTED =
      Map.of("spark.network.crypto.enabled", "true");

  /** The one line about strangers. */
  private static final Pattern REFUSED = Pattern.compile("it gets nothing, and this is not said");

  /** What Spark says of each try, with a stack. */
  private static final Pattern SPARKS =
      Pattern.compile("Error while invoking RpcHandler|Exception in connection from");

  @Test
  void rowsTravelWithSparksSecretAndWithItsEncryption() throws Exception {
    try (StandaloneCluster cluster = start("secret", AUTHENTICATED)) {
      rowsTravel(cluster, AUTHENTICATED, Map.of());
      rowsTravel(cluster, AUTHENTICATED, ENCRYPTED);
    }
  }

  @Test
  void rowsTravelOverTls() throws Exception {
    Map<String, String> conf = new HashMap<>(AUTHENTICATED);
    String store = keyStore().toString();
    conf.put("spark.ssl.rpc.enabled", "true");
    conf.put("spark.ssl.rpc.protocol", "TLSv1.3");
    conf.put("spark.ssl.rpc.keyStore", store);
    conf.put("spark.ssl.rpc.keyStorePassword", PASSWORD);
    conf.put("spark.ssl.rpc.keyPassword", PASSWORD);
    conf.put("spark.ssl.rpc.trustStore", store);
    conf.put("spark.ssl.rpc.trustStorePassword", PASSWORD);
    try (StandaloneCluster cluster = start("tls", conf)) {
      rowsTravel(cluster, conf, Map.of());
    }
  }

  private static StandaloneCluster start(String name, Map<String, String> conf) {
    return StandaloneCluster.start(name + "-" + System.getProperty("test.fork", "1"), 1, conf);
  }

  private static void rowsTravel(
      StandaloneCluster cluster, Map<String, String> settings, Map<String, String> more)
      throws IOException {
    Map<String, String> conf = new HashMap<>(more);
    conf.put("spark.executor.cores", "1");
    conf.put("spark.cores.max", "2");
    conf.put("spark.sql.datetime.java8API.enabled", "true");
    try (Application app = cluster.submit(RemoteApp.class, conf, "40000", "60000", "1")) {
      MatchResult listens = app.awaitExecutorLog(RemoteTest.LISTENS);
      String host = listens.group(1);
      int port = Integer.parseInt(listens.group(2));
      Map<String, String> all = new HashMap<>(settings);
      all.putAll(more);
      Stranger.sendsPlainBytes(host, port);
      // Spark's secret is not the plugin's: whoever may talk to Spark still asks the driver.
      for (String secret : List.of("guessed", SECRET)) {
        String why = Stranger.triesSecret(all, app.id(), secret, host, port);
        assertFalse(why.contains("SSL"), why); // the reason is the secret
      }
      if (all.containsKey("spark.ssl.rpc.enabled")) {
        Stranger.triesSecret(Map.of(), app.id(), SECRET, host, port);
      }
      assertEquals("true", app.answer("equal"));
      long remote = Long.parseLong(app.answer("rows of others"));
      app.awaitSuccess();
      assertTrue(remote > 0, () -> app.log() + app.executorLogs());
      long said =
          app.executorLogs().values().stream()
              .filter(log -> log.contains(host + ":" + port))
              .mapToLong(log -> REFUSED.matcher(log).results().count())
              .sum();
      assertEquals(1, said, () -> app.executorLogs().toString());
      app.executorLogs().values().forEach(log -> assertFalse(SPARKS.matcher(log).find(), log));
    }
  }

  /** A key, and the certificate that all trust. */
  private static Path keyStore() throws IOException, InterruptedException {
    Path store =
        Files.createDirectories(Path.of("target", "cluster"))
            .resolve("tls-" + System.getProperty("test.fork", "1") + ".p12")
            .toAbsolutePath();
    Files.deleteIfExists(store);
    Path log = store.resolveSibling(store.getFileName() + ".log");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "executors",
                "-keyalg",
                "EC",
                "-dname",
                "CN=executors",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertTrue(
        keytool.waitFor(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS) && keytool.exitValue() == 0,
        log::toString);
    return store;
  }
}
