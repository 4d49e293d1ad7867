package io.github.sparkgpusched.jobs;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import io.github.sparkgpusched.functions.MandelbrotIterations;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * The query of the Mandelbrot job: a part of the valley of the seahorses as points, four a pixel.
 *
 * @param width of the picture in pixels
 * @param height of the picture in pixels
 * @param iterations the most iterations a point
 */
record MandelbrotView(int width, int height, int iterations) {
  /** Points along each side of a pixel, whose colours are mixed: what makes the picture smooth. */
  static final int POINTS = 2;

  private static final double CENTER_RE = -0.7445;
  private static final double CENTER_IM = 0.1325;
  private static final double WIDTH = 0.02;

  /** Registers the UDF, in the way of every Java UDF of Spark. */
  static void register(SparkSession spark) {
    spark
        .udf()
        .register("mandelbrot_iterations", new MandelbrotIterations(), DataTypes.IntegerType);
  }

  /** Points from the top of the picture to its bottom. */
  int lines() {
    return height * POINTS;
  }

  /** Points from the left of the picture to its right. */
  int columns() {
    return width * POINTS;
  }

  /** Distance of two points in the complex plane. */
  private double step() {
    return WIDTH / columns();
  }

  double re(long column) {
    return CENTER_RE + (column - (columns() - 1) / 2.0) * step();
  }

  double im(long line) {
    return CENTER_IM - (line - (lines() - 1) / 2.0) * step();
  }

  /**
   * One row a point: {@code point} and its {@code iterations}.
   *
   * <p>Points are numbered from top to bottom, then from left to right, and Spark deals them to its
   * partitions in that order, one a core. So the partition of the right side, which is black, takes
   * most of the work.
   */
  Dataset<Row> answer(SparkSession spark) {
    return points(spark.range((long) columns() * lines()).toDF("point"));
  }

  /** The same of one point in so many. */
  Dataset<Row> sample(SparkSession spark, int every) {
    return points(spark.range(0, (long) columns() * lines(), every).toDF("point"));
  }

  private Dataset<Row> points(Dataset<Row> numbers) {
    return numbers
        .withColumn("re", coordinate(re(0), step(), "point div " + lines()))
        .withColumn("im", coordinate(im(0), -step(), "point % " + lines()))
        .select(
            col("point"),
            call_function("mandelbrot_iterations", col("re"), col("im"), lit(iterations))
                .as("iterations"));
  }

  private static org.apache.spark.sql.Column coordinate(double first, double step, String number) {
    return expr(String.format(Locale.ROOT, "%sd + (%s) * %sd", first, number, step));
  }
}
