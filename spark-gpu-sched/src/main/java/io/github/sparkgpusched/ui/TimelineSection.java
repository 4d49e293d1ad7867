package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.BlockSpan;
import io.github.sparkgpusched.load.LoadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Who computed which blocks when: a lane a device, a colour a task; blocks that were stolen, or are
 * of another executor's task, are hatched.
 */
final class TimelineSection {
  static final String NAME = "timeline";

  private static final int LANE = 18;
  private static final int LANE_GAP = 4;
  private static final int LABELS = 130;
  private static final int WIDTH = 1000;
  private static final int AXIS = 22;
  private static final int COLOURS = 8;

  /** Seconds of the windows that can be chosen; 0 is everything. */
  private static final int[] WINDOWS = {1, 10, 60, 600, 0};

  private final LoadView view;
  private final Query query;
  private final List<LoadView.Device> devices;
  private final long fromMicros;
  private final long untilMicros;

  TimelineSection(LoadView view, Query query, List<LoadView.Device> devices) {
    this.view = view;
    this.query = query;
    this.devices = devices;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (LoadView.Span span : view.spans()) {
      first = Math.min(first, span.span().startMicros());
      last = Math.max(last, span.span().endMicros());
    }
    long windowMicros = window() * 1_000_000L;
    untilMicros = last;
    fromMicros = windowMicros == 0 ? first : Math.max(first, last - windowMicros);
  }

  private int window() {
    return query.number("timeline.seconds", 60);
  }

  void render(Html html) {
    if (view.spans().isEmpty()) {
      html.raw("<p>No blocks were traced yet.</p>");
      return;
    }
    html.raw("<p class=\"gs-windows\">The last ");
    for (int seconds : WINDOWS) {
      String name = seconds == 0 ? "all" : Format.round(seconds * 1_000_000_000L);
      if (seconds == window()) {
        html.raw("<strong>").text(name).raw("</strong> ");
      } else {
        String link = query.with("timeline.seconds", String.valueOf(seconds)).link(NAME);
        html.raw("<a href=\"").text(link).raw("\">").text(name).raw("</a> ");
      }
    }
    html.raw("<span class=\"gs-legend\">one colour per task ");
    for (int i = 0; i < 4; i++) {
      html.raw("<svg class=\"gs-key\" viewBox=\"0 0 10 10\"><rect class=\"gs-task")
          .number(i)
          .raw("\" width=\"10\" height=\"10\"/></svg>");
    }
    key(html, "stolen", "gs-stolen");
    if (view.spans().stream().anyMatch(span -> span.span().lentTo() != null)) {
      key(html, "for another executor", "gs-lent");
    }
    html.raw("</span></p>");
    int height = AXIS + devices.size() * (LANE + LANE_GAP);
    html.raw("<div class=\"gs-scroll\"><svg class=\"gs-timeline\" viewBox=\"0 0 ")
        .number(LABELS + WIDTH)
        .raw(" ")
        .number(height)
        .raw("\" role=\"img\" aria-label=\"blocks by device over time\"><defs>")
        .raw("<pattern id=\"gs-stolen\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"")
        .raw(" patternTransform=\"rotate(45)\"><rect class=\"gs-hatch\" width=\"2\" height=\"5\"/>")
        .raw("</pattern>")
        .raw("<pattern id=\"gs-lent\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"")
        .raw(
            " patternTransform=\"rotate(-45)\"><rect class=\"gs-hatch\" width=\"3\" height=\"6\"/>")
        .raw("</pattern></defs>");
    axis(html, height);
    Map<String, List<BlockSpan>> lanes = lanes();
    int y = AXIS;
    for (LoadView.Device device : devices) {
      String label = DevicesSection.name(device);
      html.raw("<text class=\"gs-label\" x=\"")
          .number(LABELS - 6)
          .raw("\" y=\"")
          .number(y + LANE - 5)
          .raw("\">")
          .text(label.length() > 20 ? label.substring(0, 19) + "…" : label)
          .raw("</text><rect class=\"gs-track\" x=\"")
          .number(LABELS)
          .raw("\" y=\"")
          .number(y)
          .raw("\" width=\"")
          .number(WIDTH)
          .raw("\" height=\"")
          .number(LANE)
          .raw("\"/>");
      lane(html, lanes.getOrDefault(label, List.of()), y);
      y += LANE + LANE_GAP;
    }
    html.raw("</svg></div>");
    note(html);
  }

  private static void key(Html html, String name, String pattern) {
    html.raw(" ")
        .text(name)
        .raw(" <svg class=\"gs-key\" viewBox=\"0 0 10 10\"><rect class=\"gs-task0\"")
        .raw(" width=\"10\" height=\"10\"/><rect fill=\"url(#")
        .raw(pattern)
        .raw(")\" width=\"10\" height=\"10\"/></svg>");
  }

  private void note(Html html) {
    html.raw(
        "<p class=\"gs-note\">Blocks that follow each other at once for the same task are drawn as one.");
    if (view.missedBlocks() > 0) {
      html.raw(" ").text(Format.count(view.missedBlocks())).raw(" blocks are not in the picture.");
    }
    if (view.droppedSpans() > 0) {
      html.raw(" The oldest ")
          .text(Format.count(view.droppedSpans()))
          .raw(" spans are no longer kept (spark.gpusched.ui.retainedSpans).");
    }
    html.raw("</p>");
  }

  private Map<String, List<BlockSpan>> lanes() {
    Map<String, List<BlockSpan>> lanes = new LinkedHashMap<>();
    devices.forEach(device -> lanes.put(DevicesSection.name(device), new ArrayList<>()));
    for (LoadView.Span span : view.spans()) {
      List<BlockSpan> lane = lanes.get(span.executorId() + "/" + span.span().device());
      if (lane != null && span.span().endMicros() >= fromMicros) {
        lane.add(span.span());
      }
    }
    return lanes;
  }

  private void axis(Html html, int height) {
    double seconds = Math.max(1e-6, (untilMicros - fromMicros) / 1e6);
    double step = Math.pow(10, Math.floor(Math.log10(seconds)));
    while (seconds / step < 5) {
      step /= 2;
    }
    for (int i = 0; i * step <= seconds; i++) {
      double x = LABELS + i * step / seconds * WIDTH;
      html.raw("<line class=\"gs-grid\" x1=\"")
          .number(x)
          .raw("\" x2=\"")
          .number(x)
          .raw("\" y1=\"14\" y2=\"")
          .number(height)
          .raw("\"/><text class=\"gs-tick\" x=\"")
          .number(x)
          .raw("\" y=\"11\"")
          .raw((i + 1) * step > seconds && x > LABELS + WIDTH - 40 ? " text-anchor=\"end\">" : ">")
          .text(
              i == 0
                  ? Format.time(fromMicros / 1000).substring(11)
                  : "+" + Format.round((long) (i * step * 1e9)))
          .raw("</text>");
    }
  }

  /** A lane's spans, those of one task that touch on the screen as one. */
  private void lane(Html html, List<BlockSpan> spans, int y) {
    double end = -1;
    BlockSpan drawn = null;
    double drawnFrom = 0;
    long rows = 0;
    long blocks = 0;
    for (BlockSpan span : spans) {
      double from = x(span.startMicros());
      double until = Math.max(x(span.endMicros()), from + 0.5);
      boolean same =
          drawn != null
              && drawn.taskId() == span.taskId()
              && drawn.stolen() == span.stolen()
              && Objects.equals(drawn.lentTo(), span.lentTo());
      if (same && from <= end + 0.5) {
        end = Math.max(end, until);
        rows += span.rows();
        blocks += span.blocks();
        continue;
      }
      if (drawn != null && until <= end + 0.25) {
        continue; // hidden behind what is drawn, at this scale
      }
      if (drawn != null) {
        block(html, drawn, drawnFrom, end, y, rows, blocks);
      }
      drawn = span;
      drawnFrom = Math.max(from, Math.min(end, until - 0.5));
      end = until;
      rows = span.rows();
      blocks = span.blocks();
    }
    if (drawn != null) {
      block(html, drawn, drawnFrom, end, y, rows, blocks);
    }
  }

  private static void block(
      Html html, BlockSpan span, double from, double until, int y, long rows, long blocks) {
    html.raw("<g><title>task ")
        .number(span.taskId())
        .raw(", stage ")
        .number(span.stageId())
        .raw(".")
        .number(span.stageAttempt())
        .raw(": ")
        .text(Format.count(rows))
        .raw(" rows in ")
        .text(Format.count(blocks))
        .raw(blocks == 1 ? " block" : " blocks")
        .raw(span.stolen() ? ", stolen" : "")
        .text(span.lentTo() == null ? "" : ", for executor " + span.lentTo())
        .raw("</title>");
    rect(html, "class=\"gs-task" + Math.floorMod(span.taskId(), COLOURS) + "\"", from, until, y);
    if (span.stolen()) {
      rect(html, "fill=\"url(#gs-stolen)\"", from, until, y);
    }
    if (span.lentTo() != null) {
      rect(html, "fill=\"url(#gs-lent)\"", from, until, y);
    }
    html.raw("</g>");
  }

  private static void rect(Html html, String attribute, double from, double until, int y) {
    html.raw("<rect ")
        .raw(attribute)
        .raw(" x=\"")
        .number(from)
        .raw("\" y=\"")
        .number(y)
        .raw("\" width=\"")
        .number(until - from)
        .raw("\" height=\"")
        .number(LANE)
        .raw("\"/>");
  }

  private double x(long micros) {
    double part = (double) (micros - fromMicros) / Math.max(1, untilMicros - fromMicros);
    return LABELS + Math.max(0, Math.min(1, part)) * WIDTH;
  }
}
