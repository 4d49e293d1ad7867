package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.CompareApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The way that the README shows: spark-submit with {@code --jars} to a real cluster. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class SubmitTest {
  /** Spark logs the signal by which a Worker ends an executor as an error. */
  private static final Pattern ERROR = Pattern.compile("(?m)^\\S+( \\S+)? ERROR (?!.*SIGNAL TERM)");

  /** What an executor still asks the driver then fails, and Spark logs that as an error too. */
  private static final String END = "Driver commanded a shutdown";

  private static final String LOAD_LINE = "load of this executor's devices: ";

  @Test
  void answersAreThoseOfRowWiseSparkAndTheLoadIsToBeSeen(StandaloneCluster cluster)
      throws IOException {
    Path done = Path.of("target", "cluster", "done-" + System.nanoTime()).toAbsolutePath();
    try (Application app =
        cluster.submit(
            CompareApp.class,
            Map.of("spark.executor.cores", "1", "spark.cores.max", "4"),
            "300000",
            done.toString())) {
      assertEquals("true", app.answer("equal"));
      assertEquals("true", app.answer("batched"));
      assertEquals("true", app.answer("plain"));
      assertEquals("4", app.answer("executors"));
      String stages = app.awaitRest("stages", Pattern.compile("\"name\" : \"gpusched load\""));
      assertTrue(stages.matches("(?s).*\"value\" : \"\\{[0-9]+/host:0=[1-9][0-9]* rows.*"), stages);
      Files.createFile(done);
      app.awaitSuccess();
      assertEquals(4, app.executorLogs().size());
      app.executorLogs()
          .forEach(
              (executor, log) -> {
                assertTrue(log.contains("started with 1 host devices"), log);
                assertTrue(log.contains(LOAD_LINE), () -> "no load line of " + executor + log);
                assertNoFault(log);
              });
      assertNoFault(app.log());
      assertTrue(
          app.log().contains("load of the application's devices, by executor: {"), app.log());
    } finally {
      Files.deleteIfExists(done);
    }
  }

  @Test
  void anExecutorHasAsManyDevicesAsCoresWhereTheNumberIsNotSet(StandaloneCluster cluster) {
    // Spark gives an executor all cores of its worker then: three, whatever the host has.
    try (Application app = cluster.submit(CompareApp.class, Map.of(), "300000")) {
      assertEquals("true", app.answer("equal"));
      assertEquals("2", app.answer("executors"));
      app.awaitSuccess();
      app.executorLogs()
          .forEach(
              (executor, log) -> {
                assertTrue(log.contains("started with 3 host devices"), log);
                assertNoFault(log);
              });
    }
  }

  private static void assertNoFault(String log) {
    assertFalse(log.contains("Managed memory leak"), log);
    assertFalse(log.contains("ConcurrentModification"), log);
    assertFalse(ERROR.matcher(log.split(END, 2)[0]).find(), log);
  }
}
