package io.github.sparkgpusched.load;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class MonitoringDocTest {
  @Test
  void tablesMadeOfTheMeasuresAreUpToDate() throws IOException {
    assertFalse(
        MonitoringDoc.isStale(),
        "docs/monitoring.md differs from the measures; run " + MonitoringDoc.REWRITE);
  }
}
