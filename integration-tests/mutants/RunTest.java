import java.io.PrintWriter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs test classes, {@code Class} or {@code Class#method}, up to the first that fails: a mutant
 * that makes one test wait until it gives up may do that to dozens. Exit status: 0 if all passed, 2
 * if there was none, and {@value #FAILED}, which no JVM that cannot start or is killed ends with, if
 * one failed.
 */
final class RunTest {
  private static final int FAILED = 10;

  private RunTest() {}

  public static void main(String[] args) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String test : args) {
      request.selectors(
          test.contains("#")
              ? DiscoverySelectors.selectMethod(test)
              : DiscoverySelectors.selectClass(test));
    }
    SummaryGeneratingListener listener =
        new SummaryGeneratingListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            super.executionFinished(test, result);
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
              end(getSummary());
            }
          }
        };
    Launcher launcher = LauncherFactory.create();
    LauncherDiscoveryRequest built = request.build();
    launcher.execute(built, listener);
    end(listener.getSummary());
  }

  private static void end(TestExecutionSummary summary) {
    summary.printFailuresTo(new PrintWriter(System.out), 5);
    System.out.println(
        summary.getTestsFoundCount()
            + " tests, "
            + summary.getTotalFailureCount()
            + " failures, "
            + (System.currentTimeMillis() - summary.getTimeStarted())
            + " ms");
    System.out.flush();
    // Not even found is not caught: of a name that is wrong there is a failure, but no test.
    int status =
        summary.getTestsFoundCount() == 0 ? 2 : summary.getTotalFailureCount() > 0 ? FAILED : 0;
    // Not a return: threads of a test that hangs must not keep this process.
    Runtime.getRuntime().halt(status);
  }
}
