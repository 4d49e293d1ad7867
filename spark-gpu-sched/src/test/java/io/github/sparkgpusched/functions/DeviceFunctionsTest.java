package io.github.sparkgpusched.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The three forms of each function give the same bits for the same seeded inputs. */
class DeviceFunctionsTest {
  private static final Path CHECK = Path.of("..", "cuda", "check").toAbsolutePath().normalize();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void javaFormsHaveTheDigests(boolean batch) throws IOException {
    assertEquals(
        Files.readString(CHECK.resolve("digests.txt")),
        Arrays.stream(DeviceCases.values())
            .map(cases -> cases.digest(cases.udf(), DeviceCases.CASES, batch) + "\n")
            .collect(Collectors.joining()));
  }

  @Test
  void deviceCodePassesItsChecksOnTheHost(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("log");
    Process check;
    try {
      check =
          new ProcessBuilder(CHECK.resolve("run").toString(), "checks")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      assumeTrue(false, "skipped: cannot run cuda/check/run here: " + e.getMessage());
      return;
    }
    assertTrue(check.waitFor(10, TimeUnit.MINUTES), "cuda/check/run does not end");
    String text = Files.readString(log, StandardCharsets.UTF_8);
    assumeTrue(check.exitValue() != 77, text);
    assertEquals(0, check.exitValue(), text);
  }
}
