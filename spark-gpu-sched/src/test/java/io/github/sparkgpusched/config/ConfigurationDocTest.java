package io.github.sparkgpusched.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationDocTest {
  @Test
  void filesMadeOfTheRegistryAreUpToDate() {
    assertEquals(
        List.of(),
        ConfigurationDoc.staleFiles(),
        "files that differ from the registry; run " + ConfigurationDoc.REWRITE);
  }
}
