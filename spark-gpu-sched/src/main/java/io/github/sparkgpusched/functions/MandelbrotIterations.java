package io.github.sparkgpusched.functions;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.DoubleColumn;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.IntColumn;
import io.github.sparkgpusched.api.ResultColumn;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF3;

/**
 * How many times {@code z = z * z + c}, begun with z = 0, is computed before {@code |z| > 2}:
 * arguments are c's real and imaginary part and the most iterations to make. A point of the set
 * gives that limit; a limit below 1 gives 0. A null argument gives null, and a NaN at most 1.
 * Stateless; see {@link GpuUdf} for threads.
 *
 * <p>There is no cost hint: nothing cheap tells a row's iterations, so their cost is learned as
 * rows run.
 */
public final class MandelbrotIterations implements UDF3<Double, Double, Integer, Integer>, GpuUdf {
  private static final long serialVersionUID = 1L;

  @Override
  public Integer call(Double re, Double im, Integer maxIterations) {
    return re == null || im == null || maxIterations == null
        ? null
        : (Integer) iterations(re, im, maxIterations);
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return Optional.of(MandelbrotIterations::batch);
  }

  @Override
  public boolean mayRunTwice() {
    return true;
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(
        CudaSource.resource("mandelbrot_iterations.cu", "mandelbrot_iterations").inSteps());
  }

  /**
   * Two points at a time: each operation of one waits for the one before, and the other's run
   * meanwhile. A point goes on with the next row's until one of the two ends.
   */
  private static void batch(Columns arguments, int from, int until, ResultColumn out) {
    DoubleColumn re = arguments.doubles(0);
    DoubleColumn im = arguments.doubles(1);
    IntColumn maxIterations = arguments.ints(2);
    Orbit running = new Orbit();
    Orbit other = new Orbit();
    running.begin(from, re.get(from), im.get(from), maxIterations.get(from));
    for (int row = from + 1; row < until; row++) {
      other.begin(row, re.get(row), im.get(row), maxIterations.get(row));
      Orbit.iterate(running, other);
      Orbit ended = other.hasEnded() ? other : running;
      out.setInt(ended.row, ended.n);
      running = ended == other ? running : other;
      other = ended;
    }
    other.beginEndless();
    Orbit.iterate(running, other);
    out.setInt(running.row, running.n);
  }

  /**
   * The order of operations is part of the answer: {@link Orbit} and the CUDA function have the
   * same one.
   */
  private static int iterations(double re, double im, int maxIterations) {
    double zr = 0;
    double zi = 0;
    double zr2 = 0;
    double zi2 = 0;
    int n = 0;
    // NaN is not <= 4: the loop ends.
    while (n < maxIterations && zr2 + zi2 <= 4) {
      double product = zr * zi;
      zi = product + product + im;
      zr = zr2 - zi2 + re;
      zr2 = zr * zr;
      zi2 = zi * zi;
      n++;
    }
    return n;
  }
}
