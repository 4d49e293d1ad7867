package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.jobs.Picture;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** One row a strategy, one dot a profile, on a logarithmic scale: two numbers of devices. */
final class RatioPicture {
  private static final double LAUNCH = 100;
  private static final int DEPTH = 2;
  private static final int[] DEVICES = {8, 64};

  /** Sizes are in points of a picture this wide; it has twice as many pixels. */
  private static final int WIDTH = 1000;

  private static final int LEFT = 140;
  private static final int GAP = 30;
  private static final int TOP = 112;
  private static final int ROW = 36;
  private static final int BOTTOM = 56;
  private static final double MOST = 20;
  private static final double[] TICKS = {1, 1.5, 2, 3, 5, 10, 20};

  private static final Color INK = new Color(0x202020);
  private static final Color GREY = new Color(0x606060);
  private static final Color LINES = new Color(0xdddddd);
  private static final Color BAND = new Color(0xf3f3f3);

  private static final List<Machine.Profile> PROFILES =
      List.of(
          Machine.Profile.EQUAL,
          Machine.Profile.SLOW,
          Machine.Profile.RANDOM,
          Machine.Profile.STALL,
          Machine.Profile.HANG);

  /** One for each profile, told apart by those who see few colours, too: shapes differ. */
  private static final Color[] COLORS = {
    new Color(0x0072b2),
    new Color(0xe69f00),
    new Color(0x009e73),
    new Color(0xaa4499),
    new Color(0xd55e00)
  };

  private static final String[] LEGEND = {
    "equal speeds", "one 4x slower", "random speeds", "one stalls", "one hangs"
  };

  private final Picture picture;
  private final Graphics2D graphics;
  private final Results results;
  private final List<Contender> contenders = Contender.all(LAUNCH);

  private RatioPicture(Results results) {
    this.results = results.where(c -> c.launch() == LAUNCH && c.machine().depth == DEPTH);
    this.picture = new Picture(2 * WIDTH, 2 * height());
    this.graphics = picture.graphics();
  }

  private int height() {
    return TOP + ROW * contenders.size() + BOTTOM;
  }

  static void draw(Results results, Path path, PrintStream out) throws IOException {
    RatioPicture drawing = new RatioPicture(results);
    drawing.draw();
    drawing.picture.write(path, out);
  }

  private void draw() {
    graphics.scale(2, 2);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, height());
    picture.text("Time over the lower bound, by strategy and kind of machine", 20, 30, 19, INK);
    picture.text(
        "Geometric mean over 13 workloads of 10^6 rows; a launch costs 100 mean rows, two blocks"
            + " may be in flight. Simulated.",
        20,
        50,
        13,
        GREY);
    for (int profile = 0; profile < COLORS.length; profile++) {
      float x = 28 + profile * 140;
      dot(profile, x, 71);
      picture.text(LEGEND[profile], x + 11, 76, 13, INK);
    }
    for (int row = 0; row < contenders.size(); row++) {
      picture.text(contenders.get(row).name(), LEFT - 14, y(row) + 5, 14, INK, 1);
    }
    for (int panel = 0; panel < DEVICES.length; panel++) {
      panel(panel);
    }
    picture.text(
        "makespan / lower bound (logarithmic; 1 cannot be beaten)",
        (LEFT + WIDTH - GAP) / 2f,
        height() - 12,
        13,
        GREY,
        0.5);
  }

  private void panel(int panel) {
    int devices = DEVICES[panel];
    for (int row = 0; row < contenders.size(); row += 2) {
      graphics.setColor(BAND);
      graphics.fill(
          new Rectangle2D.Double(x(panel, 1) - 8, y(row) - ROW / 2.0, panelWidth() + 8, ROW));
    }
    double bottom = y(contenders.size() - 1) + ROW / 2.0;
    for (double tick : TICKS) {
      double x = x(panel, tick);
      graphics.setColor(tick == 1 ? GREY : LINES);
      graphics.setStroke(new BasicStroke(1));
      graphics.draw(new Line2D.Double(x, TOP, x, bottom));
      String label = tick == Math.rint(tick) ? String.valueOf((int) tick) : String.valueOf(tick);
      picture.text(label, (float) x, (float) bottom + 16, 12, GREY, 0.5);
    }
    picture.text(devices + " devices", (float) x(panel, 1) - 8, TOP - 8, 14, INK);
    for (int row = 0; row < contenders.size(); row++) {
      Results mine =
          results.of(contenders.get(row).name()).where(c -> c.machine().devices == devices);
      for (int i = 0; i < COLORS.length; i++) {
        String profile = PROFILES.get(i).label();
        Results cell = mine.where(c -> c.profile().equals(profile));
        if (!cell.isEmpty()) {
          // A little apart, lest one hides another.
          dot(i, x(panel, Math.min(cell.mean(), MOST)), y(row) + 6 * (i - 2));
        }
      }
    }
  }

  private static double panelWidth() {
    return (WIDTH - LEFT - DEVICES.length * GAP) / (double) DEVICES.length;
  }

  private static double x(int panel, double ratio) {
    return LEFT
        + panel * (panelWidth() + GAP)
        + (panelWidth() - 8) * Math.log(ratio) / Math.log(MOST);
  }

  private static int y(int row) {
    return TOP + ROW * row + ROW / 2;
  }

  private void dot(int profile, double x, double y) {
    Shape shape =
        switch (profile) {
          case 0 -> new Ellipse2D.Double(x - 4.5, y - 4.5, 9, 9);
          case 1 -> new Rectangle2D.Double(x - 4, y - 4, 8, 8);
          case 2 -> polygon(x, y - 5.5, x + 5, y + 4, x - 5, y + 4);
          case 3 -> polygon(x, y - 5.5, x + 5.5, y, x, y + 5.5, x - 5.5, y);
          default -> polygon(x, y + 5.5, x + 5, y - 4, x - 5, y - 4);
        };
    graphics.setColor(COLORS[profile]);
    graphics.fill(shape);
    graphics.setColor(Color.WHITE);
    graphics.setStroke(new BasicStroke(0.7f));
    graphics.draw(shape);
  }

  private static Shape polygon(double... points) {
    Path2D path = new Path2D.Double();
    path.moveTo(points[0], points[1]);
    for (int i = 2; i < points.length; i += 2) {
      path.lineTo(points[i], points[i + 1]);
    }
    path.closePath();
    return path;
  }
}
