package io.github.sparkgpusched.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The three forms of each function give the same bits for the same seeded inputs. */
class DeviceFunctionsTest {
  private static final Path CHECK = Path.of("..", "cuda", "check").toAbsolutePath().normalize();
  private static final Pattern SKIPPED = Pattern.compile("SKIPPED ([\\w-]+): (.*)");

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void javaFormsHaveTheDigests(boolean batch) throws IOException {
    assertEquals(
        Files.readString(CHECK.resolve("digests.txt")),
        Arrays.stream(DeviceCases.values())
            .map(cases -> cases.digest(cases.udf(), DeviceCases.CASES, batch) + "\n")
            .collect(Collectors.joining()));
  }

  /** What {@code cuda/check/run} cannot run here is skipped, each part with its reason. */
  @TestFactory
  List<DynamicTest> deviceCodePassesItsChecksOnTheHost(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("log");
    Process check;
    try {
      check =
          new ProcessBuilder(CHECK.resolve("run").toString(), "checks")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      return abort("skipped: cannot run cuda/check/run here: " + e.getMessage());
    }
    // Minutes of processor time: how long is the machine's affair, and the test's time-out its end.
    try {
      check.waitFor();
    } finally {
      check.destroyForcibly();
    }
    String text = Files.readString(log, StandardCharsets.UTF_8);
    System.out.println(text);
    List<DynamicTest> tests = new ArrayList<>();
    if (check.exitValue() != 77) {
      tests.add(dynamicTest("what runs here", () -> assertEquals(0, check.exitValue(), text)));
    }
    skipped(text).forEach((part, why) -> tests.add(dynamicTest(part, () -> abort(why))));
    assertFalse(tests.isEmpty(), text);
    return tests;
  }

  /** The parts that the script names in lines such as {@code SKIPPED litmus: no python3}. */
  private static Map<String, String> skipped(String text) {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      Matcher skipped = SKIPPED.matcher(line);
      if (skipped.matches()) {
        reasons.put(skipped.group(1), "skipped: " + skipped.group(2));
      }
    }
    return reasons;
  }

  @Test
  void aPartThatIsSkippedIsFoundInTheOutput() {
    assertEquals(
        Map.of("litmus", "skipped: no python3", "weak_memory", "skipped: no Relacy (Debian's)"),
        skipped(
            """
            explore                all schedules
            SKIPPED weak_memory: no Relacy (Debian's)
            SKIPPED litmus: no python3
            2 of the checks did not run here: weak_memory litmus
            """));
  }
}
