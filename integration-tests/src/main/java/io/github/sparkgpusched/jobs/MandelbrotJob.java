package io.github.sparkgpusched.jobs;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A Mandelbrot image from a DataFrame of points: work that is as irregular as it looks. */
public final class MandelbrotJob implements Job {
  static final Flag WIDTH = new Flag("--width", "PIXELS", "of the Mandelbrot image", "1200");
  static final Flag HEIGHT = new Flag("--height", "PIXELS", "of the Mandelbrot image", "800");
  static final Flag ITERATIONS = new Flag("--iterations", "N", "at most, for each point", "2000");

  /** Of so many points one is in the sample for the warm-up. */
  private static final int SAMPLE = 20;

  public static void main(String[] arguments) throws Exception {
    JobRunner.main(new MandelbrotJob(), arguments);
  }

  @Override
  public String name() {
    return "MandelbrotJob";
  }

  @Override
  public String about() {
    return "a Mandelbrot image from a DataFrame of points";
  }

  @Override
  public List<Flag> flags() {
    return List.of(Flag.OUT, WIDTH, HEIGHT, ITERATIONS, Flag.REPEAT, Flag.MASTER);
  }

  @Override
  public void check(Options options) {
    view(options);
    options.number(Flag.REPEAT, 1, 100);
  }

  private static MandelbrotView view(Options options) {
    return new MandelbrotView(
        options.number(WIDTH, 1, 10_000),
        options.number(HEIGHT, 1, 10_000),
        options.number(ITERATIONS, 1, 1_000_000));
  }

  @Override
  public Map<String, Object> run(SparkSession spark, Options options, PrintStream out)
      throws Exception {
    Path directory = Outputs.directory(options);
    MandelbrotView view = view(options);
    MandelbrotView.register(spark);

    out.println(about());
    out.printf(
        Locale.ROOT,
        "  %,d points for %d x %d pixels, at most %,d iterations each%n",
        (long) view.columns() * view.lines(),
        view.width(),
        view.height(),
        view.iterations());
    String answer = directory.resolve("mandelbrot.parquet").toString();
    SideBySide.Outcome outcome =
        new SideBySide(spark, out, answer, directory.resolve("mandelbrot-plain.parquet").toString())
            .run(
                () -> view.sample(spark, SAMPLE),
                () -> view.answer(spark),
                options.number(Flag.REPEAT, 1, 100));
    outcome.last().print(out);
    Path image = directory.resolve("mandelbrot.png");
    draw(view, spark.read().parquet(answer)).write(image, out);
    out.println("  image: " + image);

    Map<String, Object> result = new LinkedHashMap<>();
    result.put("secondsPlugin", outcome.secondsPlugin());
    result.put("secondsPlain", outcome.secondsPlain());
    result.put("rows", outcome.last().metric("numOutputRows"));
    result.put("stolenBlocks", outcome.last().metric("numStolenBlocks"));
    result.put("pictures", List.of(image.toString()));
    result.put("answer", answer);
    return result;
  }

  /** Each pixel is the mean of its points' colours. */
  private static Picture draw(MandelbrotView view, Dataset<Row> answer) {
    int[][] sums = new int[3][view.width() * view.height()];
    Iterator<Row> points = answer.select("point", "iterations").toLocalIterator();
    while (points.hasNext()) {
      Row row = points.next();
      long point = row.getLong(0);
      int x = (int) (point / view.lines()) / MandelbrotView.POINTS;
      int y = (int) (point % view.lines()) / MandelbrotView.POINTS;
      int color = Palette.color(row.getInt(1), view.iterations());
      for (int channel = 0; channel < 3; channel++) {
        sums[channel][y * view.width() + x] += (color >> (8 * channel)) & 0xFF;
      }
    }
    Picture picture = new Picture(view.width(), view.height());
    int count = MandelbrotView.POINTS * MandelbrotView.POINTS;
    for (int pixel = 0; pixel < sums[0].length; pixel++) {
      int rgb = 0;
      for (int channel = 0; channel < 3; channel++) {
        rgb |= ((sums[channel][pixel] + count / 2) / count) << (8 * channel);
      }
      picture.image().setRGB(pixel % view.width(), pixel / view.width(), rgb);
    }
    return picture;
  }
}
