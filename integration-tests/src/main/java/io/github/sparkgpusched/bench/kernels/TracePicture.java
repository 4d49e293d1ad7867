package io.github.sparkgpusched.bench.kernels;

import io.github.sparkgpusched.jobs.Picture;
import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Who computed what when: a line a warp, from left to right by time, coloured by the rows' place.
 * White: nothing was finished there.
 */
final class TracePicture {
  private static final int WIDTH = 1000;
  private static final int PANEL = 330;
  private static final int TOP = 60;
  private static final int LEFT = 20;

  private TracePicture() {}

  /** Chunks that were done: when, by which warp, of which row. */
  private record Done(long when, int warp, long row) {}

  /**
   * Draws traces below each other, on one scale of time.
   *
   * @param title of all
   * @param names of each
   */
  static void draw(String title, List<String> names, List<Path> traces, Path path, PrintStream out)
      throws IOException {
    Picture picture = new Picture(WIDTH, TOP + traces.size() * PANEL + 20);
    picture.graphics().setColor(Color.WHITE);
    picture.graphics().fillRect(0, 0, WIDTH, TOP + traces.size() * PANEL + 20);
    picture.text(title + ": a line a warp (cost model)", LEFT, 30, 17, Color.BLACK);
    List<List<Done>> all = traces.stream().map(TracePicture::read).toList();
    long end = all.stream().flatMap(List::stream).mapToLong(Done::when).max().orElse(1);
    long rows = all.stream().flatMap(List::stream).mapToLong(Done::row).max().orElse(1) + 1;
    for (int panel = 0; panel < all.size(); panel++) {
      int top = TOP + panel * PANEL;
      picture.text(names.get(panel), LEFT, top + 8, 14, Color.BLACK);
      int warps = all.get(panel).stream().mapToInt(Done::warp).max().orElse(0) + 1;
      double height = (PANEL - 40.0) / warps;
      long[] before = new long[warps];
      for (Done done : all.get(panel)) {
        double from = LEFT + (WIDTH - 2.0 * LEFT) * before[done.warp] / end;
        double until = LEFT + (WIDTH - 2.0 * LEFT) * done.when / end;
        picture.graphics().setColor(Color.getHSBColor(0.8f * done.row / rows, 0.7f, 0.9f));
        picture
            .graphics()
            .fill(
                new Rectangle2D.Double(from, top + 14 + done.warp * height, until - from, height));
        before[done.warp] = done.when;
      }
    }
    picture.write(path, out);
  }

  private static List<Done> read(Path trace) {
    try {
      // When, multiprocessor, block, warp of the block, row: of each block's 8 warps. A line a row:
      // the first of each chunk.
      return Files.readAllLines(trace, StandardCharsets.UTF_8).stream()
          .map(line -> line.split(","))
          .filter(words -> Long.parseLong(words[4]) % 32 == 0)
          .map(
              words ->
                  new Done(
                      Long.parseLong(words[0]),
                      Integer.parseInt(words[2]) * 8 + Integer.parseInt(words[3]),
                      Long.parseLong(words[4])))
          .toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
