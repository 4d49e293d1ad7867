package io.github.sparkgpusched.it.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.GpuSched;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.awt.image.BufferedImage;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tab of a live application: who may see it, and what a real browser makes of it. */
@Tag("sql")
@Timeout(180)
class TabTest {
  private SparkSession spark;

  private String start(String... conf) {
    stop();
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .appName("tab")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.port", "0")
            .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
            .config("spark.sql.warehouse.dir", TestSpark.directory("warehouse").toString());
    for (int i = 0; i < conf.length; i += 2) {
      builder.config(conf[i], conf[i + 1]);
    }
    spark = builder.getOrCreate();
    spark.udf().register("multiply_add", new MultiplyAdd(), DataTypes.DoubleType);
    spark
        .range(0, 100_000, 1, 4)
        .selectExpr("sum(multiply_add(double(id), 2D, 1D))")
        .collectAsList();
    return spark.sparkContext().uiWebUrl().get();
  }

  @AfterEach
  void stop() {
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
  }

  private static HttpResponse<String> get(String url, String user) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).header("user", user).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void whoMayNotSeeTheApplicationSeesNeitherPageNorJson() throws Exception {
    String ui =
        start(
            "spark.ui.filters", UserHeader.class.getName(),
            "spark.acls.enable", "true",
            "spark.ui.view.acls", "alice");
    for (String path : List.of("/gpusched/", "/gpusched/json/", "/gpusched/json/?part=devices")) {
      assertEquals(200, get(ui + path, "alice").statusCode(), path);
      assertEquals(403, get(ui + path, "mallory").statusCode(), path);
    }
  }

  /** UDFs come long after Spark has asked for the plugin's metrics. */
  @Test
  void theBlocksOfAUdfAreATimerOfTheExecutor() throws Exception {
    String sink = "spark.metrics.conf.*.sink.prometheusServlet.";
    String ui =
        start(
            sink + "class", "org.apache.spark.metrics.sink.PrometheusServlet",
            sink + "path", "/metrics/prometheus");
    String name = "_gpusched_executor_udf_multiply_add_blockTime_Count";
    Pattern count = Pattern.compile(name + "\\S* [1-9]");
    String[] metrics = new String[1];
    Waiting.until(
        () -> "no " + count + " in " + metrics[0],
        Duration.ofSeconds(30),
        () -> {
          metrics[0] = body(ui + "/metrics/prometheus/");
          return count.matcher(metrics[0]).find();
        });
  }

  private static String body(String url) {
    try {
      return get(url, "x").body();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void withTheKeyOffNothingIsShownAndQueriesRun() throws Exception {
    String ui = start("spark.gpusched.ui.enabled", "false");
    assertFalse(get(ui + "/jobs/", "x").body().contains("GPU Scheduler"));
    assertEquals(302, get(ui + "/gpusched/", "x").statusCode(), "Spark leads on to its jobs page");
    assertEquals(0, GpuSched.loadTable(spark).count());
  }

  /** The page is sorted, and its own script fetches it again, in Chromium. */
  @Test
  void aBrowserShowsThePageAndRefreshesItInPlace() throws Exception {
    Path browser = browser();
    assumeTrue(browser != null, "no Chromium on this host");
    String ui = start();
    String dom = dom(browser, ui + "/gpusched/?devices.sort=rows&devices.desc=true");
    assertTrue(dom.contains("aria-sort=\"descending\""), dom);
    assertTrue(dom.contains("host:1"), dom);
    assertTrue(dom.contains("gs-timeline"), dom);
    // Set by the script, after it was loaded and had fetched the page again.
    assertTrue(dom.contains("data-refreshed="), "the page did not refresh itself");
    assertFalse(dom.contains("gs-stale"), dom);
    if (!spark.version().startsWith("4.1")) { // which has no dark mode
      double lit = brightness(browser, ui + "/gpusched/");
      assertTrue(lit > 0.02 && lit < 0.35, "for who prefers dark pages, brightness is " + lit);
    }
  }

  /** Of a picture of the page in a browser whose user prefers dark pages: 0 is black, 1 white. */
  private static double brightness(Path browser, String url) throws Exception {
    Path picture = Path.of("target", "tmp", "dark.png").toAbsolutePath();
    chromium(
        browser,
        "--blink-settings=preferredColorScheme=0",
        "--hide-scrollbars",
        "--window-size=1200,900",
        "--screenshot=" + picture,
        url);
    BufferedImage image = ImageIO.read(picture.toFile());
    long sum = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int rgb = image.getRGB(x, y);
        sum += (rgb >> 16 & 255) + (rgb >> 8 & 255) + (rgb & 255);
      }
    }
    return sum / (3.0 * 255 * image.getWidth() * image.getHeight());
  }

  private static Path browser() {
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .map(name -> Path.of("/usr/bin", name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private static String dom(Path browser, String url) throws Exception {
    return chromium(browser, "--virtual-time-budget=7000", "--dump-dom", url);
  }

  private static String chromium(Path browser, String... arguments) throws Exception {
    Path out = Path.of("target", "tmp", "dom.html").toAbsolutePath();
    Files.createDirectories(out.getParent());
    List<String> command =
        new ArrayList<>(
            List.of(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + out.resolveSibling("chromium-profile")));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(90, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("Chromium did not end");
    }
    return Files.readString(out);
  }
}
