package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.BlockSpan;
import io.github.sparkgpusched.load.LoadView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Who computed which blocks when: lanes of devices, which fold by executor, below one time axis.
 */
final class TimelineSection {
  static final String NAME = "timeline";

  private static final int LANE_GAP = 4;
  private static final int AXIS = 16;

  /** Seconds of the windows that can be chosen; 0 is everything. */
  private static final int[] WINDOWS = {1, 10, 60, 600, 0};

  /** Where there are more lanes than this, executors are folded, but for the first. */
  private static final int MOST_OPEN_LANES = 24;

  /** Stages that can be chosen: the last ones. */
  private static final int MOST_STAGES = 100;

  private final LoadView view;
  private final Query query;
  private final List<LoadView.Device> devices;
  private final TimeRange range;
  private final String stage;
  private final Lane lane;

  TimelineSection(LoadView view, Query query, List<LoadView.Device> devices, Links links) {
    this.view = view;
    this.query = query;
    this.devices = devices;
    range = TimeRange.of(view, query);
    stage = query.get("timeline.stage", "");
    lane = new Lane(range, stage, links);
  }

  void render(Html html) {
    if (view.spans().isEmpty()) {
      html.raw("<p>No blocks were traced yet.</p>");
      return;
    }
    html.raw("<div class=\"gs-windows\">");
    windows(html);
    zoom(html);
    stages(html);
    legend(html);
    html.raw("</div>");
    html.raw("<div class=\"gs-scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Timeline\">")
        .raw("<div class=\"gs-lanes\" data-from=\"")
        .number(range.fromMicros())
        .raw("\" data-until=\"")
        .number(range.untilMicros())
        .raw("\">");
    axis(html);
    Map<String, List<LoadView.Device>> byExecutor = new LinkedHashMap<>();
    for (LoadView.Device device : devices) {
      byExecutor.computeIfAbsent(device.executorId(), id -> new ArrayList<>()).add(device);
    }
    Map<String, List<BlockSpan>> lanes = lanes();
    boolean open = true;
    for (Map.Entry<String, List<LoadView.Device>> executor : byExecutor.entrySet()) {
      executor(html, executor.getKey(), executor.getValue(), lanes, open);
      open = devices.size() <= MOST_OPEN_LANES;
    }
    html.raw("</div></div>");
    note(html);
  }

  private void windows(Html html) {
    boolean last = query.get("timeline.from", "").isEmpty() && stage.isEmpty();
    int window = query.number("timeline.seconds", TimeRange.DEFAULT_SECONDS);
    html.raw("<span>The last ");
    for (int seconds : WINDOWS) {
      String name = seconds == 0 ? "all" : Format.round(seconds * 1_000_000_000L);
      if (last && seconds == window) {
        html.raw("<strong>").text(name).raw("</strong> ");
      } else {
        Query shown =
            query
                .without("timeline.from", "timeline.until", "timeline.stage")
                .with("timeline.seconds", String.valueOf(seconds));
        to(html, shown, name);
      }
    }
    html.raw("</span>");
  }

  private void zoom(Html html) {
    html.raw("<span>");
    to(html, bounds(range.moved(-0.5)), "‹ earlier");
    to(html, bounds(range.scaled(0.5)), "zoom in");
    to(html, bounds(range.scaled(2)), "zoom out");
    to(html, bounds(range.moved(0.5)), "later ›");
    html.raw("</span>");
  }

  private Query bounds(TimeRange shown) {
    return query.with(
        "timeline.from",
        String.valueOf(shown.fromMicros()),
        "timeline.until",
        String.valueOf(shown.untilMicros()));
  }

  /** A link to a stage's time. */
  static void link(Html html, Query query, String stage) {
    Query shown = query.without("timeline.from", "timeline.until").with("timeline.stage", stage);
    to(html, shown, stage);
  }

  private static void to(Html html, Query query, String name) {
    html.raw("<a href=\"").text(query.link(NAME)).raw("\">").text(name).raw("</a> ");
  }

  private void stages(Html html) {
    Map<Long, BlockSpan> oneOfEach = new HashMap<>();
    for (LoadView.Span each : view.spans()) {
      BlockSpan span = each.span();
      oneOfEach.putIfAbsent(((long) span.stageId() << 32) + span.stageAttempt(), span);
    }
    List<String> known =
        oneOfEach.values().stream()
            .map(TimeRange::stage)
            .sorted(Names.ORDER.reversed())
            .limit(MOST_STAGES)
            .toList();
    html.raw("<form method=\"get\" action=\"#").raw(NAME).raw("\">");
    query.hidden(html, "timeline.stage", "timeline.from", "timeline.until");
    html.raw("<label>Stage <select name=\"timeline.stage\"><option value=\"\">all</option>");
    for (String each : known) {
      html.raw(each.equals(stage) ? "<option selected=\"selected\">" : "<option>")
          .text(each)
          .raw("</option>");
    }
    html.raw("</select></label> <button class=\"btn btn-sm btn-secondary\">Show</button></form>");
  }

  private void legend(Html html) {
    html.raw("<span class=\"gs-legend\">one colour per task ");
    for (int i = 0; i < 4; i++) {
      html.raw("<svg class=\"gs-key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\">")
          .raw("<rect class=\"gs-task")
          .number(i)
          .raw("\" width=\"10\" height=\"10\"/></svg>");
    }
    key(html, "stolen", "gs-stolen");
    if (view.spans().stream().anyMatch(span -> span.span().lentTo() != null)) {
      key(html, "for another executor", "gs-lent");
    }
    html.raw("</span>");
  }

  private static void key(Html html, String name, String pattern) {
    html.raw(" ")
        .text(name)
        .raw(" <svg class=\"gs-key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\">")
        .raw("<rect class=\"gs-task0\" width=\"10\" height=\"10\"/><rect fill=\"url(#")
        .raw(pattern)
        .raw(")\" width=\"10\" height=\"10\"/></svg>");
  }

  /** The marks of the time axis, and the patterns that all lanes use. */
  private void axis(Html html) {
    html.raw("<div class=\"gs-row\"><span class=\"gs-names\"></span>")
        .raw("<svg class=\"gs-timeline\" height=\"")
        .number(AXIS)
        .raw("\" role=\"img\" aria-label=\"time axis from ")
        .text(Format.time(range.fromMicros() / 1000))
        .raw(" on, ")
        .text(Ticks.text(range.lengthMicros()))
        .raw(" long\"><defs>")
        .raw("<pattern id=\"gs-stolen\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"")
        .raw(" patternTransform=\"rotate(45)\"><rect class=\"gs-hatch\" width=\"2\" height=\"5\"/>")
        .raw("</pattern>")
        .raw("<pattern id=\"gs-lent\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"")
        .raw(
            " patternTransform=\"rotate(-45)\"><rect class=\"gs-hatch\" width=\"3\" height=\"6\"/>")
        .raw("</pattern></defs>");
    for (long tick : Ticks.of(range.lengthMicros())) {
      double percent = 100.0 * tick / range.lengthMicros();
      html.raw("<text class=\"gs-tick\" x=\"")
          .number(percent)
          .raw("%\" y=\"12\"")
          .raw(percent > 92 ? " text-anchor=\"end\">" : ">")
          .text(
              tick == 0
                  ? Format.time(range.fromMicros() / 1000).substring(11)
                  : "+" + Ticks.text(tick))
          .raw("</text>");
    }
    html.raw("</svg></div>");
  }

  private void executor(
      Html html,
      String id,
      List<LoadView.Device> ofExecutor,
      Map<String, List<BlockSpan>> lanes,
      boolean open) {
    int height = ofExecutor.size() * (Lane.HEIGHT + LANE_GAP);
    html.raw(open ? "<details class=\"gs-group\" open=\"open\">" : "<details class=\"gs-group\">")
        .raw("<summary>executor ")
        .text(id)
        .raw(", ")
        .text(Format.count(ofExecutor.size(), "device"))
        .raw("</summary><div class=\"gs-row\"><svg class=\"gs-names\" height=\"")
        .number(height)
        .raw("\">");
    int y = 0;
    for (LoadView.Device device : ofExecutor) {
      String label = DevicesSection.name(device);
      html.raw("<text class=\"gs-label\" x=\"100%\" dx=\"-6\" y=\"")
          .number(y + Lane.HEIGHT - 5)
          .raw("\">")
          .text(label.length() > 20 ? label.substring(0, 19) + "…" : label)
          .raw("</text>");
      y += Lane.HEIGHT + LANE_GAP;
    }
    html.raw("</svg><svg class=\"gs-timeline\" height=\"")
        .number(height)
        .raw("\" role=\"group\" aria-label=\"blocks of executor ")
        .text(id)
        .raw(" over time\">");
    y = 0;
    for (LoadView.Device device : ofExecutor) {
      html.raw("<rect class=\"gs-track\" width=\"100%\" y=\"")
          .number(y)
          .raw("\" height=\"")
          .number(Lane.HEIGHT)
          .raw("\"/>");
      lane.render(html, lanes.getOrDefault(DevicesSection.name(device), List.of()), y);
      y += Lane.HEIGHT + LANE_GAP;
    }
    for (long tick : Ticks.of(range.lengthMicros())) {
      double percent = 100.0 * tick / range.lengthMicros();
      html.raw("<line class=\"gs-grid\" x1=\"")
          .number(percent)
          .raw("%\" x2=\"")
          .number(percent)
          .raw("%\" y1=\"0\" y2=\"")
          .number(height)
          .raw("\"/>");
    }
    html.raw("</svg></div></details>");
  }

  private void note(Html html) {
    html.raw("<p class=\"gs-note\">Blocks that follow each other at once for the same task are")
        .raw(" drawn as one.")
        .text(share(view));
    if (view.droppedSpans() > 0) {
      html.raw(" Of spans only the newest are kept, and ")
          .text(Format.count(view.droppedSpans()))
          .raw(" are not (spark.gpusched.ui.retainedSpans).");
    }
    html.raw("</p>");
  }

  /** How much of what was computed can be in the picture at all; empty if it is everything. */
  static String share(LoadView view) {
    long shown = view.spans().stream().mapToLong(span -> span.span().blocks()).sum();
    long missing = view.missedBlocks() + view.droppedBlocks();
    if (missing == 0) {
      return "";
    }
    double percent = 100.0 * shown / (shown + missing);
    return String.format(
        Locale.ROOT,
        " This is a sample: %s of all blocks, %s of %s. So a device may have been busy where its lane"
            + " is empty; its utilisation above counts every block.",
        percent < 0.1 ? "less than 0.1 %" : String.format(Locale.ROOT, "%.1f %%", percent),
        Format.count(shown),
        Format.count(shown + missing));
  }

  private Map<String, List<BlockSpan>> lanes() {
    Map<String, List<BlockSpan>> lanes = new HashMap<>();
    devices.forEach(device -> lanes.put(DevicesSection.name(device), new ArrayList<>()));
    for (LoadView.Span each : view.spans()) {
      BlockSpan span = each.span();
      List<BlockSpan> spans = lanes.get(each.executorId() + "/" + span.device());
      if (spans != null
          && span.endMicros() >= range.fromMicros()
          && span.startMicros() <= range.untilMicros()) {
        spans.add(span);
      }
    }
    // Those that were written down late are behind younger ones.
    lanes.values().forEach(spans -> spans.sort(Comparator.comparingLong(BlockSpan::startMicros)));
    return lanes;
  }
}
