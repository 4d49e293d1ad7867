package io.github.sparkgpusched.fuzz;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The inputs that are kept, once more: {@code integration-tests/campaign fuzz} looks for others.
 */
class CorpusTest {
  static Stream<String> names() {
    return Targets.BY_NAME.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void noInputBreaksAnything(String name) throws Exception {
    Method target =
        Class.forName(Targets.BY_NAME.get(name)).getMethod("fuzzerTestOneInput", byte[].class);
    List<Path> inputs = Targets.inputs(name);
    assertTrue(inputs.size() > 2, () -> name + " has " + inputs.size() + " inputs");
    for (Path input : inputs) {
      byte[] bytes = Files.readAllBytes(input);
      assertDoesNotThrow(() -> target.invoke(null, (Object) bytes), input::toString);
    }
  }
}
