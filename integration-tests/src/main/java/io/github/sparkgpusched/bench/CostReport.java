package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.bench.CostCases.Cost;
import io.github.sparkgpusched.bench.CostCases.Line;
import io.github.sparkgpusched.bench.CostCases.Source;
import io.github.sparkgpusched.jobs.Picture;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What {@code bench costs} has found: a table in Markdown, one column a cost, and a picture, one
 * line a source; both of the ratios plain over plugin. Where all rows were batched is dashed.
 *
 * <p>Usage: {@code CostReport OUT_DIRECTORY}.
 */
public final class CostReport {
  private static final int WIDTH = 1000;
  private static final int LEFT = 60;
  private static final int TOP = 106;
  private static final int PANEL_WIDTH = 200;
  private static final int PANEL_HEIGHT = 190;
  private static final int GAP_X = 30;
  private static final int GAP_Y = 62;
  private static final int HEIGHT = TOP + 2 * PANEL_HEIGHT + GAP_Y + 64;
  private static final double LEAST = 0.5;
  private static final double MOST = 2.1;

  private static final Color INK = new Color(0x202020);
  private static final Color GREY = new Color(0x606060);
  private static final Color LINES = new Color(0xdddddd);

  private static final Map<Source, Color> COLORS =
      Map.of(
          Source.RANGE, new Color(0x0072b2),
          Source.JOIN, new Color(0xd55e00),
          Source.PARQUET, new Color(0x009e73));

  private final Map<String, Double> ratios;
  private final Picture picture = new Picture(2 * WIDTH, 2 * HEIGHT);
  private final Graphics2D graphics = picture.graphics();

  private CostReport(Map<String, Double> ratios) {
    this.ratios = ratios;
  }

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    CostReport report = new CostReport(SparkBenchTable.ofPlainSpark(directory).ratios());
    report.table("");
    report.table(SparkBench.ALWAYS_PREFIX);
    report.draw();
    Path path = directory.resolve("costs.png");
    report.picture.write(path, System.out);
    System.out.println("written: " + path);
  }

  private void table(String prefix) {
    StringJoiner head = new StringJoiner(" | ", "| " + prefix + "rows of | ", " |");
    StringJoiner rule = new StringJoiner("|", "|---|", "|");
    for (Cost cost : Cost.values()) {
      head.add(cost.title());
      rule.add("---:");
    }
    System.out.println(head);
    System.out.println(rule);
    for (Line line : CostCases.lines()) {
      StringJoiner row = new StringJoiner(" | ", "| " + title(line) + " | ", " |");
      for (Cost cost : Cost.values()) {
        Double ratio = ratios.get(prefix + line.name(cost));
        row.add(ratio == null ? "" : String.format(Locale.ROOT, "%.2f", ratio));
      }
      System.out.println(row);
    }
    System.out.println();
  }

  private static String title(Line line) {
    return String.format(
        "%s, %s, %s, by %s",
        line.source(),
        line.wide() ? "wide" : "narrow",
        line.skewed() ? "skewed" : "even",
        line.byBatchMethod() ? "batch method" : "`call`");
  }

  private void draw() {
    graphics.scale(2, 2);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, HEIGHT);
    picture.text("Plain Spark's time over that with the plugin, by cost of a row", 20, 30, 19, INK);
    picture.text(
        "Two cores; above 1 the plugin is faster. Dashed: all rows in batches, as before the"
            + " plugin chose.",
        20,
        50,
        13,
        GREY);
    int at = 22;
    for (Source source : Source.values()) {
      graphics.setColor(COLORS.get(source));
      graphics.fillRect(at, 64, 13, 13);
      String rows = source == Source.PARQUET ? "rows of Parquet" : "rows of a " + source;
      picture.text(rows, at + 19, 75, 13, INK);
      at += 150;
    }
    for (int x = 0; x < 4; x++) {
      for (int y = 0; y < 2; y++) {
        panel(x, y);
      }
    }
    picture.text("cost of a row", WIDTH / 2f, HEIGHT - 12, 13, GREY, 0.5);
  }

  private void panel(int x, int y) {
    double left = LEFT + x * (PANEL_WIDTH + GAP_X);
    double top = TOP + y * (PANEL_HEIGHT + GAP_Y);
    boolean wide = x % 2 == 1;
    boolean skewed = x >= 2;
    picture.text(
        String.format(
            "%s, %s, by %s",
            skewed ? "skewed" : "even", wide ? "wide" : "narrow", y == 0 ? "call" : "batch method"),
        (float) left,
        (float) top - 8,
        12,
        INK);
    for (double tick : new double[] {0.5, 1, 1.5, 2}) {
      graphics.setColor(tick == 1 ? GREY : LINES);
      graphics.setStroke(new BasicStroke(1));
      double height = top + y(tick);
      graphics.draw(new Line2D.Double(left, height, left + PANEL_WIDTH, height));
      if (x == 0) {
        picture.text(String.valueOf(tick), (float) left - 8, (float) height + 4, 12, GREY, 1);
      }
    }
    for (Cost cost : Cost.values()) {
      float middle = (float) (left + x(cost));
      picture.text(cost.title(), middle, (float) top + PANEL_HEIGHT + 16, 11, GREY, 0.5);
    }
    for (Source source : Source.values()) {
      Line line = new Line(source, skewed, wide, y == 1);
      line(line, SparkBench.ALWAYS_PREFIX, left, top);
      line(line, "", left, top);
    }
  }

  private void line(Line line, String prefix, double left, double top) {
    boolean dashed = !prefix.isEmpty();
    graphics.setColor(COLORS.get(line.source()));
    graphics.setStroke(
        dashed
            ? new BasicStroke(
                1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {3, 3}, 0)
            : new BasicStroke(2));
    Path2D path = new Path2D.Double();
    for (Cost cost : List.of(Cost.values())) {
      Double ratio = ratios.get(prefix + line.name(cost));
      if (ratio == null) {
        continue;
      }
      double x = left + x(cost);
      double y = top + y(Math.max(LEAST, Math.min(MOST, ratio)));
      if (path.getCurrentPoint() == null) {
        path.moveTo(x, y);
      } else {
        path.lineTo(x, y);
      }
      if (!dashed) {
        graphics.fill(new Ellipse2D.Double(x - 3, y - 3, 6, 6));
      }
    }
    graphics.draw(path);
  }

  private static double x(Cost cost) {
    List<Cost> costs = List.of(Cost.values());
    return (costs.indexOf(cost) + 0.5) * PANEL_WIDTH / costs.size();
  }

  private static double y(double ratio) {
    return PANEL_HEIGHT * (MOST - ratio) / (MOST - LEAST);
  }
}
