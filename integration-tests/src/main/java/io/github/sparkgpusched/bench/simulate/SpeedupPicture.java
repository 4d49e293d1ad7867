package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.bench.rivals.Rivals;
import io.github.sparkgpusched.jobs.Picture;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The plot of the work-stealing tree's paper: one group of bars a kernel, one bar a strategy. */
final class SpeedupPicture {
  /** Sizes are in points of a picture this large; it has twice as many pixels. */
  private static final int WIDTH = 1000;

  private static final int HEIGHT = 420;
  private static final int LEFT = 60;
  private static final int RIGHT = 20;
  private static final int TOP = 106;
  private static final int BOTTOM = 50;
  private static final int MOST = 8;

  private static final Color INK = new Color(0x202020);
  private static final Color GREY = new Color(0x606060);
  private static final Color LINES = new Color(0xdddddd);
  private static final Map<String, Color> COLORS =
      Map.of(
          "static",
          new Color(0x999999),
          "fixed",
          new Color(0x56b4e9),
          "guided",
          new Color(0xe69f00),
          Rivals.PAPER_TREE,
          new Color(0xcc79a7),
          Contender.ADAPTIVE,
          new Color(0x33b78f));

  private final Picture picture = new Picture(2 * WIDTH, 2 * HEIGHT);
  private final Graphics2D graphics = picture.graphics();
  private final Map<String, Map<String, Double>> speedups;

  private SpeedupPicture(Map<String, Map<String, Double>> speedups) {
    this.speedups = speedups;
  }

  /**
   * Draws the plot.
   *
   * @param speedups by workload, then by strategy; all workloads have the same strategies
   */
  static void draw(Map<String, Map<String, Double>> speedups, Path path, PrintStream out)
      throws IOException {
    SpeedupPicture drawing = new SpeedupPicture(speedups);
    drawing.draw();
    drawing.picture.write(path, out);
  }

  private void draw() {
    graphics.scale(2, 2);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, HEIGHT);
    picture.text("Speed-up of eight threads over one, on the paper's kernels", 20, 30, 19, INK);
    picture.text(
        "Simulated; rows are long, and claims cost nothing beside them; fixed blocks have 256 rows.",
        20,
        50,
        13,
        GREY);
    List<String> strategies = new ArrayList<>(speedups.values().iterator().next().keySet());
    for (int i = 0; i < strategies.size(); i++) {
      int x = 22 + 120 * i;
      graphics.setColor(COLORS.get(strategies.get(i)));
      graphics.fillRect(x, 66, 13, 13);
      picture.text(strategies.get(i), x + 19, 77, 13, INK);
    }
    for (int tick = 0; tick <= MOST; tick++) {
      graphics.setColor(tick == 0 || tick == MOST ? GREY : LINES);
      graphics.setStroke(new BasicStroke(1));
      graphics.draw(new Line2D.Double(LEFT, y(tick), WIDTH - RIGHT, y(tick)));
      picture.text(tick + "x", LEFT - 10, (float) y(tick) + 5, 13, GREY, 1);
    }
    int group = 0;
    for (Map.Entry<String, Map<String, Double>> of : speedups.entrySet()) {
      group(group++, of.getKey(), strategies, of.getValue());
    }
  }

  private void group(
      int group, String workload, List<String> strategies, Map<String, Double> values) {
    double width = (double) (WIDTH - LEFT - RIGHT) / speedups.size();
    double bar = width * 0.84 / values.size();
    double left = LEFT + group * width + width * 0.08;
    for (int i = 0; i < values.size(); i++) {
      double value = values.get(strategies.get(i));
      graphics.setColor(COLORS.get(strategies.get(i)));
      graphics.fill(new Rectangle2D.Double(left + i * bar + 1, y(value), bar - 2, y(0) - y(value)));
      picture.text(
          String.format(Locale.ROOT, "%.1f", value),
          (float) (left + (i + 0.5) * bar),
          // Inside where it would lie on the line.
          (float) y(value) + (value > MOST - 0.5 ? 14 : -4),
          12,
          INK,
          0.5);
    }
    picture.text(
        workload.replace("paper-", ""),
        (float) (left + width * 0.42),
        HEIGHT - BOTTOM + 24,
        14,
        INK,
        0.5);
  }

  private static double y(double speedup) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * speedup / MOST;
  }
}
