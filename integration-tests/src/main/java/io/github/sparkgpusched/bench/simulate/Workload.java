package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.MeasuredCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/**
 * The cost of each row of a synthetic job, as prefix sums scaled to a mean of 1. Immutable.
 *
 * <p>{@link #GENERIC} and {@link #NARROW} are defined for any number of rows. {@link #PAPER} are
 * the kernels of the work-stealing tree's paper (Prokopec and Odersky), each with the number of
 * rows it has there, as the shape of work over a range: with another number of rows they are
 * stretched.
 */
public final class Workload {
  /** A named cost function of a row's place in [0, 1) and of its index. */
  public record Shape(String name, long paperRows, Cost cost) {}

  /** Cost of row i of n. */
  public interface Cost {
    double of(long i, long n, Random random);
  }

  private final double[] prefix;
  private final double largest;

  private Workload(double[] prefix, double largest) {
    this.prefix = prefix;
    this.largest = largest;
  }

  public static Workload of(Shape shape, int rows, long seed) {
    Random random = new Random(seed);
    double[] costs = new double[rows];
    for (int i = 0; i < rows; i++) {
      costs[i] = Math.max(shape.cost().of(i, rows, random), 1e-9);
    }
    if (shape.name().startsWith("sorted")) {
      Arrays.sort(costs);
    }
    if (shape.name().equals("sorted-down")) {
      for (int i = 0; i < rows / 2; i++) {
        double low = costs[i];
        costs[i] = costs[rows - 1 - i];
        costs[rows - 1 - i] = low;
      }
    }
    return of(costs);
  }

  /** A workload of these costs, above 0, scaled. */
  static Workload of(double[] costs) {
    double[] prefix = new double[costs.length + 1];
    double largest = 0;
    for (int i = 0; i < costs.length; i++) {
      largest = Math.max(largest, costs[i]);
      prefix[i + 1] = prefix[i] + costs[i];
    }
    double scale = costs.length / prefix[costs.length];
    for (int i = 1; i <= costs.length; i++) {
      prefix[i] *= scale;
    }
    return new Workload(prefix, largest * scale);
  }

  int rows() {
    return prefix.length - 1;
  }

  /** Cost of rows [from, until). */
  public double between(long from, long until) {
    return prefix[(int) until] - prefix[(int) from];
  }

  /** Costs as an earlier run would have measured them. */
  RangeCosts remembered(int ranges) {
    double[] costs = new double[Math.min(ranges, rows())];
    for (int i = 0; i < costs.length; i++) {
      long from = MeasuredCosts.start(rows(), costs.length, i);
      costs[i] = between(from, MeasuredCosts.start(rows(), costs.length, i + 1));
    }
    return new MeasuredCosts(rows(), costs);
  }

  double total() {
    return prefix[prefix.length - 1];
  }

  double largest() {
    return largest;
  }

  /** Shapes for any number of rows. */
  public static final List<Shape> GENERIC =
      List.of(
          generic("uniform", x -> 1),
          generic("triangle-up", x -> x),
          generic("triangle-down", x -> 1 - x),
          generic("parabola", x -> 4 * (x - 0.5) * (x - 0.5)),
          generic("exp-up", x -> Math.exp(20 * x)),
          generic("exp-down", x -> Math.exp(20 * (1 - x))),
          generic("step-first", x -> x < 0.2 ? 1000 : 1),
          generic("step-last", x -> x >= 11 / 15.0 ? 1000 : 1),
          new Shape("spikes", 0, (i, n, r) -> r.nextInt(1000) == 0 ? 1000 : 1),
          new Shape("pareto", 0, (i, n, r) -> pareto(r)),
          new Shape("sorted-up", 0, (i, n, r) -> pareto(r)),
          new Shape("sorted-down", 0, (i, n, r) -> pareto(r)),
          new Shape("mandelbrot", 0, (i, n, r) -> mandelbrot(i, n)));

  /** Heavy rows in a narrow place, which nobody knows of before he gets there. */
  public static final List<Shape> NARROW =
      List.of(
          generic("narrow-first", x -> x < 0.05 ? 1000 : 1),
          generic("narrow-last", x -> x >= 0.95 ? 1000 : 1),
          generic("narrow-inside", x -> Math.abs(x - 0.43) < 0.025 ? 1000 : 1),
          generic("needle-last", x -> x >= 0.99 ? 1000 : 1),
          generic("needle-inside", x -> Math.abs(x - 0.43) < 0.005 ? 1000 : 1));

  /** Shapes of the paper's kernels. */
  public static final List<Shape> PAPER =
      List.of(
          paper("uniform", 150_000_000, i -> 1),
          paper("uniform5", 15, i -> 1),
          paper("triangle", 15_000_000, i -> 1 + i / 1e6),
          paper("triangle2", 500_000, i -> 1 + i / 1e3),
          paper("triangle3", 15_000, i -> i),
          paper("invtriangle", 150, i -> (150 - i) * 1e4),
          paper("invtriangle2", 15, i -> (15 - i) * 1e6),
          paper("parabola1", 150_000, i -> square(i / 2500.0)),
          paper("parabola2", 15_000, i -> square(i / 50.0)),
          paper("parabola3", 1500, i -> square(i)),
          paper("parabola4", 150, i -> 500 * square(i)),
          paper("parabola5", 15, i -> 1e5 * square(i)),
          paper("exp", 15_000, i -> Math.pow(2, i / 1000.0)),
          paper("exp2", 95, i -> Math.pow(1.2, i)),
          paper("exp3", 25, i -> Math.pow(2, i)),
          paper("hill", 150, i -> 1 + 1e5 * Math.exp(-square((i - 75) / 20.0))),
          paper("hill2", 15, i -> 1 + 1e5 * Math.exp(-square((i - 7) / 2.0))),
          paper("valley", 15, i -> 1 + 1e4 * square(i - 7)),
          new Shape(
              "paper-gaussian", 1500, (i, n, r) -> Math.min(1e5, Math.abs(3e4 * r.nextGaussian()))),
          new Shape("paper-randif", 150, (i, n, r) -> r.nextInt(10) == 0 ? 5e6 : 1),
          paper("step", 15_000, i -> i >= 11_000 ? 25_000 : 1),
          paper("step2", 1500, i -> i < 300 ? 500_000 : 1),
          paper("step3", 1500, i -> i >= 1100 ? 500_000 : 1),
          paper("step4", 1500, i -> i >= 300 && i < 700 ? 500_000 : 1));

  /** The shape of this name, with the paper's under "paper-NAME". */
  public static Shape shape(String name) {
    return all()
        .filter(s -> s.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no workload is called '"
                        + name
                        + "'; there are "
                        + all().map(Shape::name).toList()));
  }

  /** All of them. */
  public static Stream<Shape> all() {
    List<Shape> all = new ArrayList<>(GENERIC);
    all.addAll(NARROW);
    all.addAll(PAPER);
    return all.stream();
  }

  private interface Place {
    double cost(double x);
  }

  private static Shape generic(String name, Place place) {
    return new Shape(name, 0, (i, n, r) -> place.cost((i + 0.5) / n));
  }

  private static Shape paper(String name, long rows, DoubleUnaryOperator cost) {
    return new Shape(
        "paper-" + name,
        rows,
        (i, n, r) -> cost.applyAsDouble(Math.floor(n == rows ? i : i * ((double) rows / n))));
  }

  private static double square(double x) {
    return x * x;
  }

  /** Shape 1.5, at most 1000 times the least. */
  private static double pareto(Random random) {
    return Math.min(1000, Math.pow(1 - random.nextDouble(), -1 / 1.5));
  }

  /** Row i is a line of n in an image of the whole set: all of its pixels' iterations. */
  private static double mandelbrot(long i, long n) {
    double im = 2.4 * ((i + 0.5) / n - 0.5);
    long sum = 0;
    for (int column = 0; column < 24; column++) {
      double re = -2 + 3 * (column + 0.5) / 24;
      double x = 0;
      double y = 0;
      int iteration = 0;
      while (iteration < 200 && x * x + y * y < 4) {
        double t = x * x - y * y + re;
        y = 2 * x * y + im;
        x = t;
        iteration++;
      }
      sum += iteration;
    }
    return sum;
  }
}
