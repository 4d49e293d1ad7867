package io.github.sparkgpusched.it.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.sparkgpusched.GpuSched;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.it.cluster.Waiting;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.awt.image.BufferedImage;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tab of a live application: who may see it, and what a real browser makes of it. */
@Tag("sql")
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
    compute();
    return spark.sparkContext().uiWebUrl().get();
  }

  private void compute() {
    spark
        .range(0, 100_000, 1, 4)
        .selectExpr("sum(multiply_add(double(id), 2D, 1D))")
        .collectAsList();
  }

  @AfterEach
  void stop() {
    TestSpark.stop();
  }

  private static HttpResponse<String> get(String url, String user) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).header("user", user).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void whoMaySeeTheApplicationSeesItsLoadAndOthersDoNot() throws Exception {
    String ui =
        start(
            "spark.ui.filters", UserHeader.class.getName(),
            "spark.acls.enable", "true",
            "spark.ui.view.acls", "alice");
    for (String path : List.of("/gpusched/", "/gpusched/json/", "/gpusched/json/?part=devices")) {
      assertEquals(200, get(ui + path, "alice").statusCode(), path);
      assertEquals(403, get(ui + path, "mallory").statusCode(), path);
    }
    Waiting.until(
        () -> "the rows of the query are not all in " + load(ui),
        () -> load(ui).path("total").path("rows").asLong() == 100_000);
    assertEquals("multiply_add", load(ui).path("udfs").path(0).path("udf").asText());
  }

  private static JsonNode load(String ui) {
    try {
      return new ObjectMapper().readTree(get(ui + "/gpusched/json/", "alice").body());
    } catch (Exception e) {
      throw new IllegalStateException(e);
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

  private static Browser browser() throws Exception {
    return Browser.start(Path.of("target", "tmp"));
  }

  /** Opens the tab, whose executor has reported its blocks. */
  private static void openTab(Browser browser, String url) {
    Waiting.until(
        () -> "no blocks are traced at " + url,
        () -> {
          browser.open(url);
          return browser.eval("document.querySelectorAll('.gs-tick').length > 0").asBoolean();
        });
  }

  private static void awaitRefresh(Browser browser) {
    String before = browser.eval("gpusched.dataset.refreshed || ''").asText();
    Waiting.until(
        () -> "the page does not refresh itself",
        () -> !browser.eval("gpusched.dataset.refreshed || ''").asText().equals(before));
  }

  /** The page is sorted, and its own script fetches it again. */
  @Test
  void aBrowserShowsThePageAndRefreshesItInPlace() throws Exception {
    try (Browser browser = browser()) {
      String ui = start();
      openTab(browser, ui + "/gpusched/?devices.sort=rows&devices.desc=true");
      awaitRefresh(browser);
      String dom = browser.eval("document.documentElement.outerHTML").asText();
      assertTrue(dom.contains("aria-sort=\"descending\""), dom);
      assertTrue(dom.contains("host:1"), dom);
      assertTrue(dom.contains("gs-timeline"), dom);
      assertFalse(dom.contains("gs-stale"), dom);
      if (spark.version().compareTo("4.2") >= 0) { // before, Spark's pages have no dark mode
        browser.prefer("dark");
        openTab(browser, ui + "/gpusched/");
        double lit = brightness(browser);
        assertTrue(lit > 0.02 && lit < 0.35, "for who prefers dark pages, brightness is " + lit);
      }
    }
  }

  /** Of a picture of the page: 0 is black, 1 white. */
  private static double brightness(Browser browser) throws Exception {
    Path picture = Path.of("target", "tmp", "dark.png");
    browser.picture(picture);
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

  private static final String FOCUSED =
      "(document.activeElement.closest('section') || {id: ''}).id + ' '"
          + " + document.activeElement.tagName + ' ' + document.activeElement.textContent.trim()";

  @Test
  void theKeyboardGetsThroughThePageWhileItRefreshesItself() throws Exception {
    try (Browser browser = browser()) {
      openTab(browser, start() + "/gpusched/");
      Set<String> sections = new LinkedHashSet<>();
      for (int i = 0; i < 400 && !sections.contains("events"); i++) {
        browser.press("Tab");
        String focused = browser.eval(FOCUSED).asText();
        if (sections.add(focused.substring(0, focused.indexOf(' ')))) {
          browser.press("Tab");
          String before = browser.eval(FOCUSED).asText();
          awaitRefresh(browser);
          assertEquals(before, browser.eval(FOCUSED).asText(), "the refresh took the focus away");
          browser.picture(Path.of("target", "pictures", "keyboard-" + sections.size() + ".png"));
        }
      }
      assertTrue(
          sections.containsAll(List.of("devices", "timeline", "udfs", "stages", "events")),
          "the tab key came to " + sections);
    }
  }

  @Test
  void aPageWhoseApplicationIsLostSaysSinceWhen() throws Exception {
    try (Browser browser = browser()) {
      openTab(browser, start() + "/gpusched/");
      awaitRefresh(browser);
      stop();
      String status = "document.getElementById('gs-status').textContent";
      Waiting.until(
          () -> "the page says '" + browser.eval(status) + "'",
          () ->
              browser.eval(status).asText().matches("Disconnected since \\d\\d:\\d\\d:\\d\\d: .*"));
      browser.picture(Path.of("target", "pictures", "lost.png"));
      assertTrue(
          browser.eval("document.getElementById('gs-refresh').offsetParent === null").asBoolean(),
          "it claims no more to refresh itself");
    }
  }

  @Test
  void aNarrowWindowHasWholeWordsAndSaysThatATableGoesOn() throws Exception {
    try (Browser browser = browser()) {
      browser.size(800, 900);
      openTab(browser, start() + "/gpusched/");
      assertTrue(
          browser
              .eval(
                  "[...document.querySelectorAll('.gs-tick')]"
                      + ".every(t => t.getBoundingClientRect().height >= 11)")
              .asBoolean(),
          "text of the time axis is too small");
      assertTrue(
          browser
              .eval(
                  "[...document.querySelectorAll('.gs-state')].every(s => s.getClientRects().length === 1)")
              .asBoolean(),
          "a word is broken");
      assertTrue(
          browser
              .eval("document.querySelector('#devices .gs-scroll').classList.contains('gs-more')")
              .asBoolean(),
          "no hint that columns are cut off");
    }
  }

  /** From a quarter of the time to a half of it, and then back to all of it by its link. */
  @Test
  void draggingOverLanesZoomsIn() throws Exception {
    try (Browser browser = browser()) {
      String ui = start();
      openTab(browser, ui + "/gpusched/?timeline.seconds=0");
      browser.eval(
          "document.getElementById('gs-refresh').click()"); // so that now stays where it is
      JsonNode box =
          browser.eval(
              "(s => { s.scrollIntoView({behavior: 'instant', block: 'center'}); const b = s.getBoundingClientRect();"
                  + " return {x: b.x, y: b.y, width: b.width}; })"
                  + "(document.querySelector('.gs-group svg.gs-timeline'))");
      double x = box.get("x").asDouble();
      double width = box.get("width").asDouble();
      double y = box.get("y").asDouble() + 5;
      String range =
          "(d => [Number(d.from), Number(d.until)])(document.querySelector('.gs-lanes').dataset)";
      JsonNode all = browser.eval(range);
      double length = all.get(1).asDouble() - all.get(0).asDouble();
      browser.drag(x + width / 4, y, x + width / 2, y);
      Waiting.until(
          () -> "the page shows " + browser.eval("location.href"),
          () ->
              browser
                  .eval(
                      "document.readyState === 'complete' && !!document.querySelector('.gs-lanes')"
                          + " && location.search.includes('timeline.until')")
                  .asBoolean());
      JsonNode zoomed = browser.eval(range);
      assertEquals(
          0.25, (zoomed.get(1).asDouble() - zoomed.get(0).asDouble()) / length, 0.02, "" + zoomed);
      assertEquals(
          0.25, (zoomed.get(0).asDouble() - all.get(0).asDouble()) / length, 0.02, "" + zoomed);
    }
  }

  /** By its number, wherever in the list it is by now; and though a finger began to scroll. */
  @Test
  void theStageThatTheReaderHasChosenOutlastsARefresh() throws Exception {
    try (Browser browser = browser()) {
      String ui = start();
      openTab(browser, ui + "/gpusched/?timeline.seconds=0");
      String select = "document.querySelector('select[name=\"timeline.stage\"]')";
      String before = browser.eval(select + ".options.length").asText();
      String chosen =
          browser
              .eval("(s => s.value = s.options[s.options.length - 1].value)(" + select + ")")
              .asText();
      browser.eval(
          "(s => { s.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));"
              + " window.dispatchEvent(new PointerEvent('pointercancel')); })"
              + "(document.querySelector('svg.gs-timeline'))");
      compute();
      Waiting.until(
          () -> "the stages of a new query are not among those to choose from",
          () -> !browser.eval(select + ".options.length").asText().equals(before));
      assertEquals(chosen, browser.eval(select + ".value").asText());
    }
  }

  /** The query is there with its UDF, and leads to Spark's page of it. */
  @Test
  void queriesLeadToSparksPageOfThem() throws Exception {
    try (Browser browser = browser()) {
      openTab(browser, start() + "/gpusched/");
      String link = browser.eval("document.querySelector('#queries tbody a').href").asText();
      assertTrue(
          browser
              .eval("document.querySelector('#queries tbody').textContent")
              .asText()
              .contains("multiply_add"));
      assertEquals(200, get(link, "x").statusCode());
      assertTrue(get(link, "x").body().contains("BatchedUdfs"), link);
    }
  }

  @Test
  void thePageMeetsWcagInLightAndDark() throws Exception {
    String axe = Axe.script();
    try (Browser browser = browser()) {
      String ui = start("spark.gpusched.batching", "always");
      spark.udf().register("fails", new WasteTest.Fails(), DataTypes.LongType);
      assertThrows(
          Exception.class,
          () -> spark.range(0, 20_000, 1, 1).selectExpr("sum(fails(id))").collectAsList());
      Waiting.until(
          () -> "no failure is shown",
          () -> body(ui + "/gpusched/").contains("there is no such station"));
      for (String scheme : List.of("light", "dark")) {
        for (int width : new int[] {800, 1600}) {
          browser.prefer(scheme);
          browser.size(width, 1000);
          openTab(browser, ui + "/gpusched/");
          assertEquals("", Axe.failures(browser, axe), scheme + " at " + width + " px");
          browser.picture(Path.of("target", "pictures", scheme + "-" + width + ".png"));
        }
      }
    }
  }

  @Test
  void aPartThatIsNotThereIsABadRequest() throws Exception {
    HttpResponse<String> answer = get(start() + "/gpusched/json/?part=x", "x");
    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().contains("the parts are"), answer.body());
  }
}
