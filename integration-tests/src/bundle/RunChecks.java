import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests, and writes a line for each as it ends: {@code passed|failed|skipped}, its name, its
 * seconds, and why; between tabs. Its output is the tests'.
 *
 * <p>Usage: {@code RunChecks LINES_FILE TEST...}; a test is a class, {@code Class#method}, or what JUnit
 * reads as a selector: {@code package:NAME} for all of a package, {@code
 * iteration:method:Class#method(types)[0,7]} for some cases of a parameterized test.
 */
final class RunChecks {
  private RunChecks() {}

  public static void main(String[] arguments) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (int i = 1; i < arguments.length; i++) {
      String test = arguments[i];
      if (test.contains(":")) {
        request.selectors(DiscoverySelectors.parse(test).orElseThrow());
      } else {
        request.selectors(
            test.contains("#")
                ? DiscoverySelectors.selectMethod(test)
                : DiscoverySelectors.selectClass(test));
      }
    }
    LauncherDiscoveryRequest built = request.build();
    LauncherFactory.create().execute(built, new Lines(Path.of(arguments[0])));
    System.out.flush();
    // Not a return: threads of a test that hangs must not keep this process.
    Runtime.getRuntime().halt(0);
  }

  private static final class Lines implements TestExecutionListener {
    private final Path file;
    private final java.util.Map<String, Long> began = new java.util.concurrent.ConcurrentHashMap<>();

    Lines(Path file) {
      this.file = file;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      began.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      line("skipped", test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
      // Of a class only what went wrong around its tests.
      if (!test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
        return;
      }
      result.getThrowable().filter(e -> failed).ifPresent(e -> e.printStackTrace(System.out));
      String status =
          failed ? "failed" : result.getStatus() == TestExecutionResult.Status.ABORTED ? "skipped" : "passed";
      line(status, test, result.getThrowable().map(Throwable::toString).orElse(""));
    }

    private void line(String status, TestIdentifier test, String why) {
      String name = test.getLegacyReportingName();
      String source =
          test.getSource().map(s -> s.toString().replaceAll(".*className = '([^']*\\.)?([^']*)'.*", "$2.")).orElse("");
      double seconds =
          (System.nanoTime() - began.getOrDefault(test.getUniqueId(), System.nanoTime())) / 1e9;
      String text = why.replaceFirst("^[\\w.]*(TestAbortedException|AssertionFailedError): ", "");
      String line =
          String.join(
              "\t",
              status,
              source + name.replaceAll("\\s+", " "),
              String.format(java.util.Locale.ROOT, "%.1f", seconds),
              text.substring(0, Math.min(400, text.length())).replaceAll("\\s+", " "));
      try {
        Files.writeString(
            file, line + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }
}
