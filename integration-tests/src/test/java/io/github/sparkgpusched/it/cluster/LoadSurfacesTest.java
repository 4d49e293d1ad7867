package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.sparkgpusched.it.cluster.app.LoadApp;
import io.github.sparkgpusched.it.testing.LoggedLoad;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All that shows the load, of one query on a real cluster: the figures agree to the row, live and
 * in the history server.
 */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class LoadSurfacesTest {
  private static final String EVIL = "<script>alert('x')</script>\"&";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path folder = SparkHome.emptyFolder(Path.of("target", "cluster", "surfaces"));

  private record Answer(int status, String body) {}

  private static Answer get(String url) {
    try {
      HttpResponse<String> response =
          HttpClient.newBuilder()
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build()
              .send(
                  HttpRequest.newBuilder(URI.create(url)).timeout(Waiting.PATIENCE).build(),
                  HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (java.io.IOException e) {
      return new Answer(0, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode json(String url) throws Exception {
    Answer answer = get(url);
    assertEquals(200, answer.status(), answer.body());
    return MAPPER.readTree(answer.body());
  }

  private static long sum(JsonNode list, String field) {
    long sum = 0;
    for (JsonNode element : list) {
      sum += element.get(field).asLong();
    }
    return sum;
  }

  @Test
  void agreeToTheRowLiveAndInTheHistoryServer(StandaloneCluster cluster) throws Exception {
    Path events = Files.createDirectories(folder.resolve("events"));
    Path end = folder.resolve("end").toAbsolutePath();
    Map<String, String> conf = new HashMap<>(template());
    conf.put("spark.cores.max", "4");
    conf.put("spark.app.name", EVIL);
    conf.put("spark.eventLog.enabled", "true");
    conf.put("spark.eventLog.compress", "false");
    conf.put("spark.eventLog.dir", events.toUri().toString());
    try (Application app = cluster.submit(LoadApp.class, conf, EVIL, end.toString())) {
      long rows = Long.parseLong(app.answer("expected"));
      assertEquals("" + rows, app.answer("accumulator"));
      assertEquals("" + rows, app.answer("load table"));
      String ui = app.answer("ui");
      checkLoad(ui + "/gpusched/", rows, true);
      checkRest(app, rows);
      checkPrometheusServlet(ui, rows);
      Files.createFile(end);
      app.awaitSuccess();
      checkEventLog(events);
      checkHistory(events, app.id(), rows);
    }
  }

  @Test
  void aRealPrometheusScrapesTheDriverAndAnswersWhatTheDashboardAsks(StandaloneCluster cluster)
      throws Exception {
    Path prometheus = Prometheus.require();
    Path end = folder.resolve("end").toAbsolutePath();
    try (Application app = cluster.submit(LoadApp.class, template(), "steps", end.toString())) {
      long rows = Long.parseLong(app.answer("load table"));
      checkRealPrometheus(prometheus, app.answer("ui"), rows);
      Files.createFile(end);
      app.awaitSuccess();
    }
  }

  /** What executors have not yet reported is reported as they end, and is in the log. */
  @Test
  void aLogHasAllOfAnApplicationThatStopsAtOnce(StandaloneCluster cluster) throws Exception {
    Path events = Files.createDirectories(folder.resolve("events-at-once"));
    Map<String, String> conf =
        Map.of(
            "spark.executor.cores", "2",
            "spark.cores.max", "4",
            "spark.eventLog.enabled", "true",
            "spark.eventLog.compress", "false",
            "spark.eventLog.dir", events.toUri().toString());
    try (Application app = cluster.submit(LoadApp.class, conf, "steps")) {
      app.awaitSuccess();
    }
    assertEquals(new LoggedLoad(LoadApp.ROWS), LoggedLoad.read(events));
  }

  /** The lines of the template, as settings. */
  private static Map<String, String> template() throws Exception {
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.executor.cores", "2");
    for (String line : Files.readAllLines(Path.of("../conf/metrics.properties.template"))) {
      if (!line.startsWith("#") && !line.isBlank()) {
        String[] setting = line.split("=", 2);
        conf.put("spark.metrics.conf." + setting[0], setting[1]);
      }
    }
    return conf;
  }

  /** Which grows from one question to the next. */
  private static JsonNode withoutIdleTime(JsonNode total) {
    return ((ObjectNode) total.deepCopy()).without("idleNanos");
  }

  /** The tab and its JSON. */
  private static void checkLoad(String tab, long rows, boolean live) throws Exception {
    JsonNode load = json(tab + "json/");
    assertEquals(rows, load.get("total").get("rows").asLong());
    assertEquals(rows, sum(load.get("udfs"), "rows"));
    assertEquals(rows, sum(load.get("stages"), "rows"));
    assertEquals(EVIL, load.get("udfs").get(0).get("udf").asText());
    assertEquals(0, load.get("wasted").get("rows").asLong());
    JsonNode devices = load.get("devices");
    int own = 0;
    long ofDevices = 0;
    for (JsonNode device : devices) {
      // An executor that was idle may have lent a core: how often is a matter of time.
      own += device.get("load").get("borrowed").asBoolean() ? 0 : 1;
      ofDevices += device.get("load").get("rows").asLong();
      assertTrue(device.get("load").get("freeBytes").isNull(), "a host device has no memory");
    }
    assertEquals(4, own, "two executors of two devices");
    assertEquals(rows, ofDevices);
    assertTrue(load.get("spans").size() > 0, "blocks were traced");
    assertEquals(1, load.get("queries").size());
    JsonNode query = load.get("queries").get(0);
    assertEquals(rows, query.get("rows").asLong());
    assertEquals("completed", query.get("state").asText());
    assertEquals(EVIL, query.get("udfs").get(0).asText());
    assertTrue(load.get("diagnosis").isArray());
    assertEquals(
        withoutIdleTime(load.get("total")), withoutIdleTime(json(tab + "json/?part=total")));
    assertEquals(400, get(tab + "json/?part=x").status());
    for (JsonNode device : devices) {
      assertEquals(live ? "active" : "ended", device.get("state").asText());
    }
    String page = get(tab).body();
    assertTrue(page.contains("GPU Scheduler"));
    assertTrue(page.contains("data-live=\"" + live + "\""));
    assertFalse(page.contains("<script>alert"), "a name that was not escaped");
    assertTrue(page.contains("&lt;script&gt;alert(&#39;x&#39;)"));
    Matcher link = Pattern.compile("(?:href|src)=\"([^\"]*gpusched\\.(?:css|js))\"").matcher(page);
    int links = 0;
    while (link.find()) {
      links++;
      Answer file = get(URI.create(tab).resolve(link.group(1)).toString());
      assertEquals(200, file.status(), link.group(1));
      assertFalse(file.body().contains("http:") || file.body().contains("https:"));
    }
    assertEquals(2, links, "the style and the script");
    assertEquals(404, get(tab.replace("/gpusched/", "/gpusched-static/") + "Json.class").status());
  }

  /** Spark's REST: the accumulators of the stages, and the SQL metrics of the node. */
  private static void checkRest(Application app, long rows) throws Exception {
    String stages = app.awaitRest("stages?status=complete", Pattern.compile("gpusched load"));
    assertTrue(stages.contains("\"gpusched load of query"), stages);
    long inStages = 0;
    for (JsonNode stage : MAPPER.readTree(stages)) {
      for (JsonNode update : stage.get("accumulatorUpdates")) {
        if (update.get("name").asText().equals("gpusched load")) {
          Matcher work = Pattern.compile("=(\\d+) rows").matcher(update.get("value").asText());
          while (work.find()) {
            inStages += Long.parseLong(work.group(1));
          }
        }
      }
    }
    assertEquals(rows, inStages, stages);
    String sql = app.awaitRest("sql?details=true", Pattern.compile("BatchedUdfs"));
    boolean found = false;
    for (JsonNode execution : MAPPER.readTree(sql)) {
      for (JsonNode node : execution.get("nodes")) {
        if (node.get("nodeName").asText().equals("BatchedUdfs")) {
          for (JsonNode metric : node.get("metrics")) {
            if (metric.get("name").asText().equals("number of output rows")) {
              found = true;
              assertEquals(rows, Long.parseLong(metric.get("value").asText().replace(",", "")));
            }
          }
        }
      }
    }
    assertTrue(found, sql);
  }

  private static void checkPrometheusServlet(String ui, long rows) {
    String text = get(ui + "/metrics/prometheus").body();
    assertEquals(rows, metric(text, "_gpusched_application_rows_Value"), text);
    assertEquals(0, metric(text, "_gpusched_application_wastedRows_Value"));
    Matcher timer = Pattern.compile("_gpusched_udf_\\w+_blockTime_Count\\S* (\\d+)").matcher(text);
    assertTrue(timer.find(), text);
    assertEquals(
        metric(text, "_gpusched_application_blocks_Value"), Long.parseLong(timer.group(1)));
    long ofDevices = metric(text, "_gpusched_application_borrowedRows_Value");
    Matcher device =
        Pattern.compile("_gpusched_device_\\d+_host_\\d+_rows_Value\\S* (\\d+)").matcher(text);
    while (device.find()) {
      ofDevices += Long.parseLong(device.group(1));
    }
    assertEquals(rows, ofDevices);
  }

  private static long metric(String text, String name) {
    Matcher value = Pattern.compile(Pattern.quote(name) + "\\S* (\\d+)").matcher(text);
    assertTrue(value.find(), () -> name + " is not in " + text);
    return Long.parseLong(value.group(1));
  }

  /** A real Prometheus scrapes the driver, and answers what the dashboard asks. */
  private void checkRealPrometheus(Path binary, String ui, long rows) throws Exception {
    URI address = URI.create(ui);
    try (Prometheus prometheus =
        Prometheus.start(
            binary,
            folder.resolve("prometheus").toAbsolutePath(),
            address.getHost(),
            address.getPort(),
            "/gpusched-metrics/")) {
      String query = "gpusched_application_rows_total";
      Waiting.until(
          () -> "Prometheus has not scraped: " + ask(prometheus, query),
          () -> ask(prometheus, query).contains("\"" + rows + "\""));
      JsonNode dashboard =
          MAPPER.readTree(Files.readString(Path.of("../conf/grafana-dashboard.json")));
      assertTrue(
          ask(prometheus, "count by (application) (gpusched_device_rows_total)")
              .contains("\"application\":\""));
      for (String ofDashboard : dashboard.findValuesAsText("expr")) {
        String expression = ofDashboard.replace("$application", ".*");
        Waiting.until(
            () -> expression + " gives " + ask(prometheus, expression),
            () -> ask(prometheus, expression).contains("\"value\""));
      }
      awaitRules(prometheus);
    }
  }

  /** Each alert rule has been evaluated over the driver's series, without an error. */
  private static void awaitRules(Prometheus prometheus) {
    String rules = prometheus.url() + "/api/v1/rules";
    Waiting.until(
        () -> "the rules are " + get(rules),
        () -> get(rules).body().split("\"health\":\"ok\"", -1).length == 1 + 4);
  }

  private static String ask(Prometheus prometheus, String query) {
    return get(prometheus.url()
            + "/api/v1/query?query="
            + URLEncoder.encode(query, StandardCharsets.UTF_8))
        .body();
  }

  private static void checkEventLog(Path events) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(events)) {
      files =
          all.filter(f -> Files.isRegularFile(f) && !f.getFileName().toString().startsWith("."))
              .toList();
    }
    long ours = 0;
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        if (line.contains("\"Event\":\"io.github.sparkgpusched.ui.")) {
          ours++;
          JsonNode event = MAPPER.readTree(line);
          assertEquals(1, event.get("version").asInt(), line);
        }
      }
    }
    assertTrue(ours >= 5 && ours <= 20, ours + " events of the plugin");
  }

  private void checkHistory(Path events, String application, long rows) throws Exception {
    SparkHome home = SparkHome.shared();
    try (ChildProcess server =
        history(
            "history",
            home.classPath() + java.io.File.pathSeparator + JarFiles.plugin(folder),
            home,
            events)) {
      String url = historyUrl(server, application);
      checkLoad(url + "/gpusched/", rows, false);
    }
    // Without the jar, Spark leaves the events out and shows the rest.
    try (ChildProcess server = history("history-without", home.classPath(), home, events)) {
      String url = historyUrl(server, application);
      assertFalse(get(url + "/jobs/").body().contains("GPU Scheduler"));
    }
  }

  private ChildProcess history(String name, String classPath, SparkHome home, Path events) {
    List<String> options = new ArrayList<>(home.javaOptions());
    options.add("-Dspark.history.fs.logDirectory=" + events.toUri());
    options.add("-Dspark.history.ui.port=0");
    options.add("-Dspark.history.fs.update.interval=2s");
    return ChildProcess.java(
        name,
        folder,
        classPath,
        Map.of("SPARK_HOME", home.path()),
        options,
        List.of("org.apache.spark.deploy.history.HistoryServer"));
  }

  private static String historyUrl(ChildProcess server, String application) {
    String port =
        server.awaitLine("Bound HistoryServer to \\S+, and started at http://\\S+:(\\d+)");
    String url = "http://127.0.0.1:" + port + "/history/" + application;
    Waiting.until(
        () -> url + "/jobs/ gives " + get(url + "/jobs/"),
        () -> get(url + "/jobs/").body().contains("Completed Jobs"));
    return url;
  }
}
