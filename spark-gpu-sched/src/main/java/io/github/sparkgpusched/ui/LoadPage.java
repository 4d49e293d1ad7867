package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.DeviceMeasures;
import io.github.sparkgpusched.load.LoadView;
import java.util.List;

/** The page's content as HTML: of a view and parameters alone, without Spark. */
final class LoadPage {
  private LoadPage() {}

  /**
   * The content.
   *
   * @param live whether the page should refresh itself
   * @param application Spark's id of the application; a page that refreshes itself asks no other
   */
  static String render(LoadView view, Query query, boolean live, String application, Links links) {
    Html html = new Html();
    html.raw("<div id=\"gpusched\" data-live=\"")
        .raw(live ? "true" : "false")
        .raw("\" data-application=\"")
        .text(application)
        .raw("\">");
    if (live) {
      html.raw("<label class=\"gs-refresh\"><input type=\"checkbox\" id=\"gs-refresh\" checked>")
          .raw(" refresh every 2 s</label><p id=\"gs-status\" role=\"status\"></p>");
    }
    begin(html, "summary", null);
    summary(html, view);
    end(html);
    begin(html, "diagnosis", "Diagnosis");
    diagnosis(html, view);
    end(html);
    begin(html, QueriesSection.NAME, "Queries");
    QueriesSection.render(html, view, query, links);
    end(html);
    DevicesSection devices = new DevicesSection(view, query, links);
    begin(html, DevicesSection.NAME, "Devices");
    devices.render(html);
    end(html);
    begin(html, TimelineSection.NAME, "Timeline");
    new TimelineSection(view, query, devices.page(), links).render(html);
    end(html);
    begin(html, "udfs", "UDFs");
    OtherSections.udfs(html, view, query, links);
    end(html);
    begin(html, "stages", "Stages");
    OtherSections.stages(html, view, query, links);
    end(html);
    begin(html, "events", "Device events");
    OtherSections.events(html, view, query);
    end(html);
    return html.raw("</div>").toString();
  }

  private static void begin(Html html, String name, String title) {
    html.raw("<section id=\"").raw(name).raw("\">");
    if (title != null) {
      html.raw("<h4>").raw(title).raw("</h4>");
    }
  }

  private static void end(Html html) {
    html.raw("</section>");
  }

  private static void summary(Html html, LoadView view) {
    html.raw("<ul class=\"gs-summary\">");
    item(html, "Executors", running(executors(view, false), executors(view, true)));
    long ended = view.devices().stream().filter(d -> d.ended() && !d.load().borrowed()).count();
    item(html, "Devices", running(view.runningDevices(), ended));
    item(html, "Rows", Format.count(view.total().rows()));
    item(html, "Blocks", Format.count(view.total().blocks()));
    item(
        html,
        "Steals",
        Format.count(view.total().steals()) + " of " + Format.count(view.total().stealRequests()));
    Long borrowed = view.total().of(DeviceMeasures.BORROWED_ROWS);
    if (borrowed != null) {
      item(html, "Rows on borrowed cores", Format.count(borrowed));
    }
    item(html, "Busy time", Format.nanos(view.total().busyNanos()));
    item(html, "Failed blocks", Format.count(view.total().failures()), view.total().failures() > 0);
    // The rows of cheap functions are in no block: they are computed where they are.
    item(html, "Failed calls", Format.count(view.udfFailures()), view.udfFailures() > 0);
    item(
        html,
        "Wasted",
        view.wasted().tasks() == 0
            ? "0 rows"
            : Format.count(view.wasted().rows())
                + " rows, "
                + Format.nanos(view.wasted().busyNanos())
                + ", "
                + Format.count(view.wasted().tasks(), "task"));
    html.raw("</ul>");
  }

  private static void diagnosis(Html html, LoadView view) {
    List<Finding> findings = Diagnosis.of(view);
    if (findings.isEmpty()) {
      html.raw("<p>Nothing stands out.</p>");
      return;
    }
    html.raw("<ul class=\"gs-findings\">");
    for (Finding finding : findings) {
      html.raw("<li>").text(finding.text()).raw(" <em>").text(finding.change()).raw("</em></li>");
    }
    html.raw("</ul>");
  }

  private static long executors(LoadView view, boolean ended) {
    return view.devices().stream()
        .filter(device -> device.ended() == ended)
        .map(LoadView.Device::executorId)
        .distinct()
        .count();
  }

  /** How many there are now; those that are no more are said apart, and not counted among them. */
  private static String running(long running, long ended) {
    if (ended == 0) {
      return Format.count(running);
    }
    return running == 0
        ? Format.count(ended) + " ended"
        : Format.count(running) + ", " + Format.count(ended) + " ended";
  }

  private static void item(Html html, String name, String figure) {
    item(html, name, figure, false);
  }

  private static void item(Html html, String name, String figure, boolean bad) {
    html.raw("<li><strong>")
        .text(name)
        .raw(bad ? "</strong><span class=\"gs-bad\">" : "</strong><span>")
        .text(figure)
        .raw("</span></li>");
  }
}
