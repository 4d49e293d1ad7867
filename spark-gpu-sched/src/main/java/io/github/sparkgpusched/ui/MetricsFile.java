package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.LoadView;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.spark.ui.SparkUI;

/** Answers Prometheus, under the filters and rights of all of Spark's pages. */
final class MetricsFile extends HttpServlet {
  private static final long serialVersionUID = 1L;
  static final String PATH = "gpusched-metrics";

  private final transient SparkUI ui;
  private final transient Supplier<LoadView> view;

  MetricsFile(SparkUI ui, Supplier<LoadView> view) {
    this.ui = ui;
    this.view = view;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String id = ui.appId() == null ? "" : ui.appId(); // as the application begins, it has none
    byte[] text = MetricsText.of(view.get(), id, ui.getAppName()).getBytes(StandardCharsets.UTF_8);
    response.setContentType(MetricsText.CONTENT_TYPE);
    response.setHeader("Cache-Control", "no-store");
    response.getOutputStream().write(text);
  }
}
