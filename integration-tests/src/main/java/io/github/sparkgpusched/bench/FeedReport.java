package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.jobs.Picture;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Table and picture of {@code bench feed}: what the plugin's own code does for a batch on its way
 * to a GPU that is not there. It says nothing of GPUs.
 *
 * <p>Usage: {@code FeedReport DIRECTORY NAME}, of files that {@code FeedBench} and {@code
 * FeedQuery} (tests of the plugin's module) have written.
 */
final class FeedReport {
  private static final int WIDTH = 900;
  private static final int LEFT = 300;
  private static final int ROW = 44;
  private static final int TOP = 86;
  private static final Color INK = new Color(0x202020);
  private static final Color GREY = new Color(0x606060);

  /** Of the owner's own code, calls into the driver's double, and the tasks' threads. */
  private static final Color[] COLORS = {
    new Color(0x0072b2), new Color(0xe69f00), new Color(0x009e73)
  };

  private static final String[] LEGEND = {"owner, our code", "owner, driver's double", "tasks"};

  private FeedReport() {}

  /** A line of a file, by the names of its columns. */
  private record Line(List<String> names, List<String> values) {
    String text(String name) {
      return values.get(names.indexOf(name));
    }

    double number(String name) {
      return Double.parseDouble(text(name));
    }

    /** Microseconds of a batch that the owner's thread, or the only one, took. */
    double owner() {
      return text("part").equals("owner")
          ? number("taskMicrosPerBatch")
          : number("ownerMicrosPerBatch");
    }

    double tasks() {
      return text("part").equals("owner") ? 0 : number("taskMicrosPerBatch");
    }
  }

  private static List<Line> lines(Path file) throws IOException {
    List<String> all = Files.readAllLines(file);
    List<Line> lines = new ArrayList<>();
    for (String line : all.subList(1, all.size())) {
      lines.add(new Line(List.of(all.get(0).split(",")), List.of(line.split(","))));
    }
    return lines;
  }

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    String name = args[1];
    List<Line> blocks = lines(directory.resolve("feed-" + name + "-FeedBench.csv"));
    System.out.println(
        "The plugin's own road to a GPU ("
            + name
            + ", the driver's double; no result about GPUs).");
    System.out.println(
        "Figures are of one batch; microseconds of owner and tasks are processor time.");
    System.out.printf(
        "%n%-28s %-6s %8s %9s %8s %6s %9s %9s %9s %9s %9s%n",
        "columns",
        "part",
        "rows",
        "Mrows/s",
        "us",
        "calls",
        "bytes in",
        "bytes out",
        "owner us",
        "tasks us",
        "there and back us");
    for (Line line : blocks) {
      System.out.printf(
          Locale.ROOT,
          "%-28s %-6s %8s %9.1f %8.1f %6.1f %9s %9s %9.1f %9.1f %9.1f%n",
          line.text("case").replace(';', ','),
          line.text("part"),
          line.text("rows"),
          line.number("rowsPerSecond") / 1e6,
          line.number("microsPerBatch"),
          line.number("callsPerBatch"),
          line.text("bytesToDevice"),
          line.text("bytesFromDevice"),
          line.owner(),
          line.tasks(),
          line.number("turnaroundMicros"));
    }
    System.out.printf(
        "%n%-20s %10s %14s %8s %8s %18s%n",
        "query", "rows", "Spark / plugin", "Spark s", "ours s", "calls / 16384 rows");
    for (Line line : lines(directory.resolve("feed-" + name + "-FeedQuery.csv"))) {
      System.out.printf(
          Locale.ROOT,
          "%-20s %10s %14.3f %8.3f %8.3f %18.2f%n",
          line.text("query").replace(';', ','),
          line.text("rows"),
          line.number("ratio"),
          line.number("spark"),
          line.number("plugin"),
          line.number("callsPerBatch"));
    }
    draw(blocks, directory.resolve("feed-" + name + ".png"), name);
  }

  private static void draw(List<Line> lines, Path path, String name) throws IOException {
    int height = TOP + ROW * lines.size() + 20;
    Picture picture = new Picture(2 * WIDTH, 2 * height);
    Graphics2D graphics = picture.graphics();
    graphics.scale(2, 2);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, height);
    picture.text("Processor time of a batch on its way to a GPU, in microseconds", 20, 30, 18, INK);
    picture.text(
        "Our code, on the driver's double (" + name + "). It says nothing of GPUs.",
        20,
        50,
        13,
        GREY);
    for (int i = 0; i < COLORS.length; i++) {
      graphics.setColor(COLORS[i]);
      graphics.fill(new Rectangle2D.Double(20 + 210 * i, 60, 12, 12));
      picture.text(LEGEND[i], 38 + 210 * i, 71, 13, INK);
    }
    double most =
        lines.stream().mapToDouble(line -> line.owner() + line.tasks()).max().orElseThrow();
    double scale = (WIDTH - LEFT - 80) / Math.max(1, most);
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      double y = TOP + ROW * i;
      picture.text(line.text("case").replace(';', ','), LEFT - 12, (float) y + 14, 13, INK, 1);
      picture.text(
          line.text("part") + ", " + line.text("rows") + " rows",
          LEFT - 12,
          (float) y + 29,
          11,
          GREY,
          1);
      double driver = Math.min(line.owner(), line.number("callMicrosPerBatch"));
      double[] parts = {line.owner() - driver, driver, line.tasks()};
      double x = LEFT;
      for (int part = 0; part < parts.length; part++) {
        graphics.setColor(COLORS[part]);
        graphics.fill(new Rectangle2D.Double(x, y + 3, scale * parts[part], 24));
        x += scale * parts[part];
      }
      picture.text(
          String.format(Locale.ROOT, "%.0f", line.owner() + line.tasks()),
          (float) x + 6,
          (float) y + 20,
          13,
          INK);
    }
    picture.write(path, System.out);
  }
}
