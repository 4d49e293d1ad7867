package io.github.sparkgpusched.shims;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightJarTest {
  @Test
  void theSparkOfTheTestsIsRight() {
    assertDoesNotThrow(() -> RightJar.check());
    assertDoesNotThrow(() -> RightJar.check("4.0.2-amzn-0", "2.13.16"));
  }

  @ParameterizedTest
  @CsvSource({
    "3.5.9, 2.12.18, spark-gpu-sched_2.12-….jar",
    "3.5.2, 2.13.8, spark-gpu-sched-spark-3.5_2.13-….jar",
    "3.4.1, 2.12.17, Spark 3.5 or 4",
  })
  void anotherSparkIsToldWhichJarItTakes(String spark, String scala, String wanted) {
    String message =
        assertThrows(IllegalStateException.class, () -> RightJar.check(spark, scala)).getMessage();
    assertEquals(
        "this jar of spark-gpu-sched is for Spark 4 with Scala 2.13, and this is Spark "
            + spark
            + " with Scala "
            + scala
            + ": give "
            + wanted
            + " in its place (docs/compatibility.md)",
        message);
  }

  @Test
  void anotherScalaIsTold() {
    String message =
        assertThrows(IllegalStateException.class, () -> RightJar.check("4.0.0", "3.3.1"))
            .getMessage();
    assertTrue(message.contains("with Scala 3.3.1: give spark-gpu-sched_2.13-"), message);
  }
}
