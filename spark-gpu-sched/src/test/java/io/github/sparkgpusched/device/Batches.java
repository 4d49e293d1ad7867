package io.github.sparkgpusched.device;

import io.github.sparkgpusched.functions.Identity;
import io.github.sparkgpusched.functions.Levenshtein;
import io.github.sparkgpusched.functions.MandelbrotIterations;
import io.github.sparkgpusched.functions.MultiplyAdd;
import io.github.sparkgpusched.functions.PointInRing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Random rows for the built-in functions, with nulls. */
public final class Batches {
  private static final DataType DOUBLE = DataTypes.DoubleType;
  private static final DataType ARRAY = DataTypes.createArrayType(DataTypes.DoubleType);

  private Batches() {}

  /** Of built-in functions, and one with string results. */
  public static List<Batch> all(int rows, long seed) {
    List<Batch> all = new ArrayList<>(builtIn(rows, seed));
    all.add(repeat(rows, seed));
    return all;
  }

  public static List<Batch> builtIn(int rows, long seed) {
    return List.of(
        identity(rows, seed),
        multiplyAdd(rows, seed),
        pointInRing(rows, seed),
        levenshtein(rows, seed),
        mandelbrot(rows, seed));
  }

  public static Batch identity(int rows, long seed) {
    Random random = new Random(seed);
    return new Batch(rows, new Identity(), "identity", DOUBLE, DOUBLE)
        .argument(row -> Double.longBitsToDouble(random.nextLong()));
  }

  public static Batch multiplyAdd(int rows, long seed) {
    Random random = new Random(seed);
    IntFunction<Object> value = row -> random.nextInt(9) == 0 ? null : random.nextGaussian();
    return new Batch(rows, new MultiplyAdd(), "multiply_add", DOUBLE, DOUBLE, DOUBLE, DOUBLE)
        .argument(value)
        .argument(value)
        .argument(value)
        .guard(row -> random.nextInt(5) > 0);
  }

  /** Calls of {@code point_in_ring} without arguments: two numbers, then two arrays. */
  public static Batch inRings(int rows) {
    return new Batch(
        rows,
        new PointInRing(),
        "point_in_ring",
        DataTypes.BooleanType,
        DOUBLE,
        DOUBLE,
        ARRAY,
        ARRAY);
  }

  public static Batch pointInRing(int rows, long seed) {
    Random random = new Random(seed);
    Double[][] xs = new Double[7][];
    Double[][] ys = new Double[xs.length][];
    for (int i = 0; i < xs.length; i++) {
      int length = i == 0 ? 0 : 3 + random.nextInt(90);
      xs[i] = random.doubles(length).boxed().toArray(Double[]::new);
      ys[i] = random.doubles(length).boxed().toArray(Double[]::new);
    }
    // One with a null vertex: for the host form.
    ys[3][1] = null;
    return inRings(rows)
        .argument(row -> random.nextDouble())
        .argument(row -> random.nextInt(20) == 0 ? null : random.nextDouble())
        .argument(row -> row % 31 == 0 ? null : xs[row / 10 % xs.length])
        .argument(row -> ys[row / 10 % ys.length]);
  }

  /** One row has arrays of two lengths, of which the host form throws. */
  public static Batch unequalRings(int rows, int wrongRow) {
    Double[] three = {0.0, 1.0, 0.5};
    Double[] two = {0.0, 1.0};
    return inRings(rows)
        .argument(row -> 0.5)
        .argument(row -> 0.5)
        .argument(row -> three)
        .argument(row -> row == wrongRow ? two : three);
  }

  /** Calls of {@code levenshtein} without arguments: two texts. */
  public static Batch distances(int rows) {
    return new Batch(
        rows,
        new Levenshtein(),
        "levenshtein",
        DataTypes.IntegerType,
        DataTypes.StringType,
        DataTypes.StringType);
  }

  public static Batch levenshtein(int rows, long seed) {
    Random random = new Random(seed);
    IntFunction<Object> text =
        row ->
            random.nextInt(12) == 0
                ? null
                : random
                    // Of one row both texts are so long that the row is for the host form.
                    .ints(row == 41 ? 4200 : random.nextInt(20), 'a', 'f')
                    .mapToObj(c -> c == 'e' ? "é" : Character.toString(c))
                    .reduce("", String::concat)
                    .getBytes(StandardCharsets.UTF_8);
    return distances(rows).argument(text).argument(text);
  }

  /** Calls of {@code levenshtein} with two texts of so many bytes, each row its own. */
  public static Batch texts(int rows, int bytes) {
    IntFunction<Object> text =
        row ->
            String.valueOf(row).repeat(bytes).substring(0, bytes).getBytes(StandardCharsets.UTF_8);
    return distances(rows).argument(text).argument(text);
  }

  public static Batch mandelbrot(int rows, long seed) {
    Random random = new Random(seed);
    return new Batch(
            rows,
            new MandelbrotIterations(),
            "mandelbrot_iterations",
            DataTypes.IntegerType,
            DOUBLE,
            DOUBLE,
            DataTypes.IntegerType)
        .argument(row -> random.nextDouble() * 3 - 2)
        .argument(row -> random.nextDouble() * 2 - 1)
        .argument(row -> random.nextInt(8) == 0 ? null : random.nextInt(200));
  }

  /** String results: most fit into a place of 32 bytes, one in nine does not. */
  public static Batch repeat(int rows, long seed) {
    Random random = new Random(seed);
    return new Batch(
            rows,
            new Repeat(),
            "repeat",
            DataTypes.StringType,
            DataTypes.StringType,
            DataTypes.IntegerType)
        .argument(
            row ->
                random.nextInt(12) == 0
                    ? null
                    : "aéb".repeat(random.nextInt(3)).getBytes(StandardCharsets.UTF_8))
        .argument(row -> random.nextInt(9) == 0 ? 100 : random.nextInt(5) - 1);
  }

  /** The first of 1500 rows each are expensive. */
  public static Batch skewed(int rows) {
    return new Batch(
            rows,
            new MandelbrotIterations(),
            "mandelbrot_iterations",
            DataTypes.IntegerType,
            DOUBLE,
            DOUBLE,
            DataTypes.IntegerType)
        .argument(row -> 0.0)
        .argument(row -> 0.0)
        .argument(row -> row % 1500 < 375 ? 30_000 : 1);
  }
}
