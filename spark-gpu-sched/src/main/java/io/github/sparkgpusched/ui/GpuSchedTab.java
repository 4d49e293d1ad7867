package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.shims.Pages;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tab "GPU Scheduler" of an application's UI, live or in the history server. */
public final class GpuSchedTab extends SparkUITab {
  private static final Logger LOG = LoggerFactory.getLogger(GpuSchedTab.class);

  static final String PREFIX = "gpusched";

  private final SparkUI ui;

  private GpuSchedTab(SparkUI ui) {
    super(ui, PREFIX);
    this.ui = ui;
  }

  /**
   * Adds the tab to a UI. Where the UI cannot have it, that is logged, and all else goes on.
   *
   * @param view called for each page, by the threads of the web server
   * @param reportedOrNull likewise for Prometheus, as it was reported; null if the application does
   *     not run
   */
  public static void attach(
      SparkUI ui, Supplier<LoadView> view, Supplier<LoadView> reportedOrNull) {
    Optional<String> whyNot = Pages.whyNot();
    if (whyNot.isPresent()) {
      LOG.warn(
          "no tab \"GPU Scheduler\" in this version of Spark, nor its JSON and /gpusched-metrics: {}",
          whyNot.get());
      return;
    }
    Attachment.to(ui, view, reportedOrNull);
  }

  /**
   * Where its pages' servlets are not there, a class cannot be linked that hands them on: so it is
   * one of its own, which is not asked for then.
   */
  private static final class Attachment {
    static void to(SparkUI ui, Supplier<LoadView> view, Supplier<LoadView> reportedOrNull) {
      GpuSchedTab tab = new GpuSchedTab(ui);
      tab.attachPage(new GpuSchedPage(tab, view, reportedOrNull != null));
      ui.attachTab(tab);
      ui.attachHandler(ui.basePath() + "/" + StaticFiles.PATH, new StaticFiles(), "/*");
      if (reportedOrNull != null) {
        ui.attachHandler("/" + MetricsFile.PATH, new MetricsFile(ui, reportedOrNull), "/*");
      }
    }
  }

  @Override
  public String name() {
    return "GPU Scheduler";
  }

  /** Spark's id of the application; empty while it has none, as it begins. */
  String application() {
    return ui.appId() == null ? "" : ui.appId();
  }

  String uiBasePath() {
    return ui.basePath();
  }
}
