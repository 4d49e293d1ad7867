package io.github.sparkgpusched.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.it.testing.LoggedLoad;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Event logs of applications that stop as soon as they have their answer. */
@Tag("faults")
class EventLogEndTest {
  private static final long ROWS = 20_000;

  @Test
  void hasAllThatWasComputed() throws Exception {
    Path folder =
        Files.createDirectories(
            TestSpark.directory("event-logs").resolve(String.valueOf(System.nanoTime())));
    try (LocalSpark spark =
        LocalSpark.start(
            2,
            "spark.eventLog.enabled",
            "true",
            "spark.eventLog.compress",
            "false",
            "spark.eventLog.dir",
            folder.toUri().toString())) {
      spark.register("next", Scripted.rows(value -> value + 1), DataTypes.LongType);
      spark.onePartition(ROWS, "next(id) v").groupBy().sum("v").collectAsList();
    }
    assertEquals(new LoggedLoad(ROWS), LoggedLoad.read(folder));
  }
}
