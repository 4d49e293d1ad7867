package io.github.sparkgpusched.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigEntryTest {
  @ParameterizedTest
  @CsvSource({"true, true", "FALSE, false", "' True ', true"})
  void readsBooleans(String text, boolean expected) {
    assertEquals(expected, QueryKeys.ENABLED.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"NONE, NONE", "not_batched, NOT_BATCHED", "All, ALL"})
  void readsWordsInAnyCase(String text, ExplainMode expected) {
    assertEquals(expected, QueryKeys.EXPLAIN.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "16777216, 16777216", "' 4096 ', 4096"})
  void readsIntsUpToBothEnds(String text, int expected) {
    assertEquals(expected, QueryKeys.BATCH_ROWS.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1000000, 1000000"})
  void readsLongsUpToBothEnds(String text, long expected) {
    assertEquals(expected, StrategyKeys.BLOCK_TARGET_MICROS.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "64k, 65536",
    "1g, 1073741824",
    "65536, 65536",
    "65536b, 65536",
    "2M, 2097152",
    "2mb, 2097152",
    "1024KB, 1048576"
  })
  void readsSizesAsSparkDoes(String text, long expected) {
    assertEquals(expected, QueryKeys.BATCH_BYTES.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "spark.gpusched.enabled, yes, true or false",
    "spark.gpusched.enabled, '', true or false",
    "spark.gpusched.explain, MOST, 'one of NONE, NOT_BATCHED, ALL'",
    "spark.gpusched.batch.rows, 0, a whole number from 1 to 16777216",
    "spark.gpusched.batch.rows, 16777217, a whole number from 1 to 16777216",
    "spark.gpusched.batch.rows, 1e3, a whole number from 1 to 16777216",
    "spark.gpusched.batch.rows, 99999999999, a whole number from 1 to 16777216",
    "spark.gpusched.batch.bytes, 63k, a size from 64k to 1g",
    "spark.gpusched.batch.bytes, 1025m, a size from 64k to 1g",
    "spark.gpusched.batch.bytes, 0.5g, a size from 64k to 1g",
    "spark.gpusched.batch.bytes, -64m, a size from 64k to 1g",
    "spark.gpusched.batch.bytes, 9000000000g, a size from 64k to 1g",
    "spark.gpusched.batch.bytes, 99999999999999999999, a size from 64k to 1g",
    "spark.gpusched.block.targetMicros, 0, a whole number from 1 to 1000000",
    "spark.gpusched.block.targetMicros, 1000001, a whole number from 1 to 1000000",
    "spark.gpusched.host.devices, -1, a whole number from 0 to 1024",
    "spark.gpusched.host.devices, 1025, a whole number from 0 to 1024"
  })
  void refusesWithKeyValueAndWhatIsAllowed(String key, String value, String allowed) {
    assertEquals(
        key + "='" + value + "' is not allowed: give " + allowed,
        messageOf(() -> GpuSchedConfig.validate(Map.of(key, value))));
  }

  @Test
  void keepsItsMessageOnOneLine() {
    assertEquals(
        "spark.gpusched.enabled='a?b??c' is not allowed: give true or false",
        messageOf(() -> QueryKeys.ENABLED.parse("a\nb\r\nc")));
  }

  @Test
  void takesTheDefaultWhenTheKeyIsNotSet() {
    assertEquals(67108864, QueryKeys.BATCH_BYTES.read(key -> null));
  }

  @Test
  void cannotHaveADefaultOutsideItsRange() {
    assertEquals(
        "spark.gpusched.x='5' is not allowed: give a whole number from 1 to 4",
        messageOf(
            () -> new KeyGroup().key("x").doc("A test.").intRange(1, 4).defaultsTo(5).atStart()));
  }

  private static String messageOf(Executable action) {
    return assertThrows(IllegalArgumentException.class, action).getMessage();
  }
}
