package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.sparkgpusched.jobs.MainJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The main job in the way that the README shows: spark-submit to a cluster, on a sample. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class MainJobTest {
  @Test
  void findsTheCountriesOfASample(StandaloneCluster cluster, @TempDir Path out) throws IOException {
    try (Application job =
        cluster.submitJob(
            MainJob.class,
            Map.of("spark.executor.cores", "1", "spark.cores.max", "2"),
            "--cities",
            Path.of("data", "cities.parquet").toAbsolutePath().toString(),
            "--rings",
            Path.of("data", "rings.parquet").toAbsolutePath().toString(),
            "--out",
            out.toString(),
            "--sample",
            "100")) {
      job.awaitSuccess();
      String log = job.log();
      assertTrue(log.contains("both answers are the same, row by row"), log);
      JsonNode result =
          new ObjectMapper()
              .readTree(log.lines().filter(l -> l.startsWith("{\"agreement\"")).findAny().get());
      assertTrue(result.get("agreement").asDouble() >= 0.97, log);
      assertTrue(result.get("rows").asLong() > 1000, log);
      assertTrue(Files.size(Path.of(result.get("pictures").get(0).asText())) > 0, log);
      // Both executors' cores computed, and the driver's did not.
      for (String device : new String[] {"0/host:0", "1/host:0"}) {
        assertTrue(
            Pattern.compile("(?m)^ +" + device + " +[1-9]").matcher(log).find(),
            () -> "no rows of " + device + ":\n" + log);
      }
      assertEquals(-1, log.indexOf("driver/host:0 "), log);
    }
  }
}
