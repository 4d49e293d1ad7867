package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.RemoteApp;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executors of one core each, of which one has nearly all the work. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class RemoteTest {
  private static final Map<String, String> CONF =
      Map.of(
          "spark.executor.cores",
          "1",
          "spark.cores.max",
          "2",
          "spark.sql.datetime.java8API.enabled",
          "true");

  static final Pattern BORROWED =
      Pattern.compile("remote:[0-9]+ is lane [0-9]+ of executor ([0-9]+)");

  static final Pattern LISTENS = Pattern.compile("shares cores with others, on ([0-9.]+):([0-9]+)");

  @Test
  void theIdleExecutorComputesRowsOfTheOther(StandaloneCluster cluster) {
    try (Application app = cluster.submit(RemoteApp.class, CONF, "20000", "60000", "2", "fail")) {
      String failure = app.answer("failure");
      assertTrue(failure.contains("churn") && failure.contains("minus one"), failure);
      assertEquals("true", app.answer("equal"));
      long remote = Long.parseLong(app.answer("rows of others"));
      assertEquals("true", app.answer("lent as many"));
      assertEquals("true", app.answer("drawn at the lender"));
      long counted = Long.parseLong(app.answer("rows in SQL metrics"));
      app.awaitSuccess();
      assertTrue(
          counted > 0 && counted <= remote,
          () -> counted + " of " + remote + " rows\n" + app.log() + app.executorLogs());
    }
  }

  @Test
  void whatALenderThatIsKilledHadIsComputedByTheOwner(StandaloneCluster cluster)
      throws IOException {
    try (Application app = cluster.submit(RemoteApp.class, CONF, "40000", "120000", "1")) {
      MatchResult borrowed = app.awaitExecutorLog(BORROWED);
      MatchResult listens = app.awaitExecutorLog(LISTENS);
      Stranger.sendsPlainBytes(listens.group(1), Integer.parseInt(listens.group(2)));
      app.kill(borrowed.group(1));
      assertEquals("true", app.answer("equal"));
      app.awaitSuccess();
    }
  }

  /** The task runs again, elsewhere; what it had lent to others does not matter. */
  @Test
  void anOwnerThatIsKilledCostsItsTaskAnAttempt(StandaloneCluster cluster) {
    try (Application app = cluster.submit(RemoteApp.class, CONF, "40000", "120000", "1")) {
      String lender = app.awaitExecutorLog(BORROWED).group(1);
      app.kill(
          app.executorLogs().keySet().stream()
              .filter(id -> !id.equals(lender))
              .findFirst()
              .orElseThrow());
      assertEquals("true", app.answer("equal"));
      app.awaitSuccess();
    }
  }

  @Test
  void nobodyListensWhereItIsForbidden(StandaloneCluster cluster) {
    Map<String, String> conf = new HashMap<>(CONF);
    conf.put("spark.gpusched.remote", "off");
    try (Application app = cluster.submit(RemoteApp.class, conf, "4000", "60000", "1")) {
      assertEquals("true", app.answer("equal"));
      assertEquals("0", app.answer("rows of others"));
      app.awaitSuccess();
      app.executorLogs().values().forEach(log -> assertFalse(LISTENS.matcher(log).find(), log));
    }
  }
}
