import java.io.PrintWriter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs test classes, {@code Class} or {@code Class#method}. Exit status: 0 if all passed, 1 if one
 * failed, 2 if there was none.
 */
final class RunTest {
  private RunTest() {}

  public static void main(String[] args) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String test : args) {
      request.selectors(
          test.contains("#")
              ? DiscoverySelectors.selectMethod(test)
              : DiscoverySelectors.selectClass(test));
    }
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    LauncherDiscoveryRequest built = request.build();
    launcher.execute(built, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out), 5);
    System.out.println(
        summary.getTestsFoundCount()
            + " tests, "
            + summary.getTotalFailureCount()
            + " failures, "
            + (summary.getTimeFinished() - summary.getTimeStarted())
            + " ms");
    System.out.flush();
    int status = summary.getTotalFailureCount() > 0 ? 1 : summary.getTestsFoundCount() == 0 ? 2 : 0;
    // Not a return: threads of a test that hangs must not keep this process.
    Runtime.getRuntime().halt(status);
  }
}
