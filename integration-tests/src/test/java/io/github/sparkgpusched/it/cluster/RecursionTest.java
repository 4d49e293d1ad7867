package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.RecursionApp;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** UDFs that recurse until the stack is full, which Spark takes for a fault of the whole JVM. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class RecursionTest {
  @Test
  void costsAnExecutorAsInPlainSparkWhicheverThreadItIsIn(StandaloneCluster cluster) {
    Map<String, String> conf =
        Map.of("spark.executor.cores", "2", "spark.cores.max", "2", "spark.task.maxFailures", "1");
    try (Application app =
        cluster.submit(RecursionApp.class, conf, "plain", "helper", "call", "batch")) {
      String plain = app.answer("plain");
      assertTrue(plain.contains("[FAILED_EXECUTE_UDF]"), plain);
      assertTrue(plain.contains("StackOverflowError"), plain);
      String helper = app.answer("helper");
      Pattern row = Pattern.compile("failed for endless\\([0-9]+\\): java.lang.StackOverflowError");
      assertTrue(helper.contains("[FAILED_EXECUTE_UDF]"), helper);
      assertTrue(row.matcher(helper).find(), helper);
      assertEquals("true", app.answer("plain lost one"));
      assertEquals("true", app.answer("helper lost one"));
      for (String way : List.of("call", "batch")) {
        String answer = app.answer(way);
        assertTrue(answer.contains("[FAILED_EXECUTE_UDF]"), answer);
        assertTrue(answer.contains("StackOverflowError"), answer);
        assertEquals("true", app.answer(way + " lost one"));
      }
      assertEquals("4950", app.answer("afterwards"));
      assertEquals("0", app.answer("lost more"));
      app.awaitSuccess();
    }
  }
}
