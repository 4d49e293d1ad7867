package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.it.cluster.app.ConnectApp;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.package$;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Spark Connect server with the plugin, and a JVM client that has none of Spark's engine. */
@Tag("cluster")
class ConnectTest {

  /** Parts of Spark that the client's jar has in its own way. */
  private static final List<String> NOT_ON_CLIENTS =
      List.of(
          "spark-sql",
          "spark-core",
          "spark-catalyst",
          "spark-connect",
          "spark-launcher",
          "spark-network");

  private final Path folder = SparkHome.emptyFolder(Path.of("target", "cluster", "connect"));
  private final SparkHome home = SparkHome.shared();

  private static Path jars(String of) {
    return Path.of("target", "connect", package$.MODULE$.SPARK_VERSION(), of).toAbsolutePath();
  }

  @Test
  void aUdfThatAClientRegistersIsBatchedOnTheServer() {
    assumeTrue(Files.isDirectory(jars("server")), "Maven has not copied Spark Connect's jars");
    Path plugin = JarFiles.plugin(folder);
    Path applications = JarFiles.applications(folder);
    try (ChildProcess server = server(plugin)) {
      String port = server.awaitLine("Spark Connect server started at: \\S*:([0-9]+)");
      try (ChildProcess client =
          ChildProcess.java(
              "client",
              folder,
              clientClassPath(plugin, applications),
              Map.of(),
              List.of(),
              List.of(
                  ConnectApp.class.getName(), "sc://127.0.0.1:" + port, applications.toString()))) {
        assertEquals(0, client.awaitEnd(), () -> client.log() + server.log());
        assertTrue(client.log().contains("answer: session=org.apache.spark.sql.connect."));
        assertTrue(client.log().contains("answer: batched=true"), client::log);
        assertTrue(client.log().contains("answer: load table=2"), client::log);
        assertTrue(client.log().contains("answer: plain=true"), client::log);
        assertTrue(client.log().contains("answer: equal=true"), client::log);
      }
    }
  }

  private ChildProcess server(Path plugin) {
    return ChildProcess.java(
        "server",
        folder,
        home.classPath() + File.pathSeparator + jars("server") + File.separator + "*",
        Map.of("SPARK_HOME", home.path()),
        home.javaOptions(),
        List.of(
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            "local[2]",
            "--jars",
            plugin.toString(),
            "--conf",
            "spark.plugins=io.github.sparkgpusched.GpuSchedPlugin",
            "--conf",
            "spark.driver.bindAddress=127.0.0.1",
            "--conf",
            "spark.driver.host=127.0.0.1",
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.connect.grpc.binding.address=127.0.0.1",
            "--conf",
            "spark.connect.grpc.binding.port=0",
            "--class",
            "org.apache.spark.sql.connect.service.SparkConnectServer",
            "spark-internal"));
  }

  private static String clientClassPath(Path plugin, Path applications) {
    String others =
        SparkHome.sparkJars().stream()
            .filter(
                jar -> NOT_ON_CLIENTS.stream().noneMatch(jar.getFileName().toString()::startsWith))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return String.join(
        File.pathSeparator,
        jars("client") + File.separator + "*",
        plugin.toString(),
        applications.toString(),
        others);
  }
}
