package io.github.sparkgpusched.it.faults;

import static io.github.sparkgpusched.it.faults.LocalSpark.assertMentions;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.SparkContext$;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Settings that are not allowed at the start; {@link SessionSettingsTest} has those of a session.
 */
@Tag("faults")
class BadSettingTest {
  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "spark.gpusched.batch.row; 5; is not a known key: did you mean spark.gpusched.batch.rows?",
        "spark.gpusched; x; is not a known key: did you mean spark.gpusched.enabled?",
        "spark.gpusched.block.neighbours; 4; is not a key any more: its name is now"
            + " spark.gpusched.cuda.block.neighbours",
        "spark.gpusched.batch.rows; 0; is not allowed: give a whole number from 1 to 16777216",
        "spark.gpusched.batch.bytes; much; is not allowed: give a size from 64k to 1g",
        "spark.gpusched.host.devices; -1; is not allowed: give a whole number from 0 to 1024",
        "spark.gpusched.explain; SOME; is not allowed: give one of NONE, NOT_BATCHED, ALL"
      })
  void stopsTheApplicationAtItsStart(String key, String value, String words) {
    Exception thrown =
        assertThrows(IllegalArgumentException.class, () -> LocalSpark.start(1, key, value));
    assertMentions(thrown, key + "='" + value + "' " + words);
    assertTrue(SparkContext$.MODULE$.getActive().isEmpty());
  }
}
