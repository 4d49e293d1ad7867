package io.github.sparkgpusched.testing;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;

/** Where an application shows its devices, besides SQL: the tab, its JSON, and metrics. */
public final class SparkSurfaces {
  private static final String SINK = "spark.metrics.conf.*.sink.prometheusServlet.";

  private SparkSurfaces() {}

  /** Settings of an application that is asked. */
  public static SparkSession.Builder configure(SparkSession.Builder builder) {
    return builder
        .config("spark.ui.port", "0")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config(SINK + "class", "org.apache.spark.metrics.sink.PrometheusServlet")
        .config(SINK + "path", "/metrics/prometheus");
  }

  /** Prints a line for each that shows a device with so many rows; the driver knows of them. */
  public static void print(SparkSession spark, String device, long rows) throws Exception {
    String ui = spark.sparkContext().uiWebUrl().get();
    String json = get(ui + "/gpusched/json/?part=devices");
    Pattern entry =
        Pattern.compile("\"device\"\\s*:\\s*\"" + device + "\"[^{}]*\"rows\"\\s*:\\s*" + rows);
    System.out.println(entry.matcher(json).find() ? "JSON shows " + device : "JSON: " + json);
    String page = get(ui + "/gpusched/");
    System.out.println(page.contains(device) ? "TAB shows " + device : "TAB: " + page);
    Pattern gauge =
        Pattern.compile("gpusched_\\w*" + device.replace(':', '_') + "_rows\\S* " + rows + "\\b");
    Patience.await("the gauge", () -> gauge.matcher(get(ui + "/metrics/prometheus/")).find());
    System.out.println("METRICS show " + device);
  }

  /** What is found at an address. */
  public static String get(String url) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (Exception e) {
      throw new IllegalStateException(url, e);
    }
  }
}
