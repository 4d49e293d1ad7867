package io.github.sparkgpusched;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Mutants quote the source, and name tests. Who renames something is to see here which of them have
 * to follow, and not at the end of a long CI.
 */
class MutantTextsTest {
  private static final Path TEXTS =
      Path.of("..", "integration-tests", "mutants", "texts").toAbsolutePath().normalize();

  @Test
  void allMutantsHaveTheirTextsAndTests() throws Exception {
    Process process = new ProcessBuilder(TEXTS.toString()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), output);
  }
}
