package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.BlockSpan;
import java.util.List;
import java.util.Objects;

/**
 * A device's blocks over time, as SVG: a colour a task; blocks that were stolen, or are of another
 * executor's task, are hatched. Widths are parts of the picture's, so that it fits any window and
 * texts keep their size.
 */
final class Lane {
  static final int HEIGHT = 18;
  private static final int COLOURS = 8;

  /** Blocks are put together in a picture that is so wide. */
  private static final int WIDTH = 1000;

  private final TimeRange range;
  private final String stage;
  private final Links links;

  /**
   * @param stage what is chosen; blocks of others are faint. Empty for all
   */
  Lane(TimeRange range, String stage, Links links) {
    this.range = range;
    this.stage = stage;
    this.links = links;
  }

  /** A lane's spans, those of one task that touch on the screen as one. */
  void render(Html html, List<BlockSpan> spans, int y) {
    double end = -1;
    BlockSpan drawn = null;
    double drawnFrom = 0;
    long rows = 0;
    long blocks = 0;
    for (BlockSpan span : spans) {
      double from = range.part(span.startMicros()) * WIDTH;
      double until = Math.max(range.part(span.endMicros()) * WIDTH, from + 0.5);
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

  private void block(
      Html html, BlockSpan span, double from, double until, int y, long rows, long blocks) {
    boolean other = !stage.isEmpty() && !TimeRange.stage(span).equals(stage);
    // Not by the tab key: there may be thousands, and the table of stages has the same links.
    html.raw(other ? "<a class=\"gs-other\" tabindex=\"-1\" href=\"" : "<a tabindex=\"-1\" href=\"")
        .text(links.stage(span))
        .raw("\"><title>task ")
        .number(span.taskId())
        .raw(", stage ")
        .raw(TimeRange.stage(span))
        .raw(": ")
        .text(Format.count(rows, "row"))
        .raw(" in ")
        .text(Format.count(blocks, "block"))
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
    html.raw("</a>");
  }

  private static void rect(Html html, String attribute, double from, double until, int y) {
    html.raw("<rect ")
        .raw(attribute)
        .raw(" x=\"")
        .number(from * 100 / WIDTH)
        .raw("%\" y=\"")
        .number(y)
        .raw("\" width=\"")
        .number((until - from) * 100 / WIDTH)
        .raw("%\" height=\"")
        .number(HEIGHT)
        .raw("\"/>");
  }
}
