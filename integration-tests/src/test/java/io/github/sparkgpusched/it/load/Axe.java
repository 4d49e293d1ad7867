package io.github.sparkgpusched.it.load;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The accessibility checks of axe-core, from npm's registry, unpacked below {@code target}. */
final class Axe {
  private static final String VERSION = "4.10.3";

  private Axe() {}

  /** Their script; the test is skipped where npm cannot fetch it. */
  static String script() throws Exception {
    Path folder = Path.of("target", "axe-core", VERSION).toAbsolutePath();
    Path script = folder.resolve("package/axe.min.js");
    if (!Files.exists(script)) {
      Files.createDirectories(folder);
      String fetch = "npm pack --silent axe-core@" + VERSION + " && tar xzf axe-core-*.tgz";
      Process process =
          new ProcessBuilder("sh", "-c", fetch)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("fetch.log").toFile())
              .start();
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    }
    assumeTrue(Files.exists(script), "no npm on this host, or no way to its registry");
    return Files.readString(script);
  }

  /** What fails WCAG 2.2 AA in the plugin's part of the page, in words; empty if nothing does. */
  static String failures(Browser browser, String script) {
    browser.eval(script + "; true");
    JsonNode violations =
        browser.eval(
            "axe.run('#gpusched', {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],"
                + " rules: {'target-size': {enabled: true}}}).then(r => r.violations.map(v => v.id + ': '"
                + " + v.help + ' at ' + v.nodes.slice(0, 3).map(n => n.html.substring(0, 200) + ' '"
                + " + n.failureSummary).join(' and ')))");
    StringBuilder words = new StringBuilder();
    violations.forEach(each -> words.append(each.asText()).append('\n'));
    return words.toString();
  }
}
