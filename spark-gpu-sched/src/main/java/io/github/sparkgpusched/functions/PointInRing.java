package io.github.sparkgpusched.functions;

import io.github.sparkgpusched.api.ArrayColumn;
import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.CostHint;
import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.DoubleColumn;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.apache.spark.sql.api.java.UDF4;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * Whether a point lies in a polygon: the even-odd rule, which counts the edges that a ray from the
 * point to positive x crosses. Arguments are the point's x and y and the vertices' xs and ys, two
 * {@code array<double>} of one length.
 *
 * <p>Edges run from each vertex to the next, and not from the last to the first: a ring is closed
 * when its last vertex repeats its first. A polygon of several rings (holes, islands) is its closed
 * rings one after the other, with one vertex of two NaNs between them.
 *
 * <p>A point on an edge may be inside or outside; of two polygons that share the edge it is inside
 * one, up to the rounding of the crossing. A point with a NaN is outside. Products of differences
 * of coordinates must neither overflow nor underflow: differences of 0, and from 1e-150 to 1e150,
 * are safe.
 *
 * <p>A null argument or a null vertex gives null. Arrays of different lengths are an {@link
 * IllegalArgumentException}. An instance is for one thread: it has scratch space; see {@link
 * GpuUdf}.
 */
public final class PointInRing
    implements UDF4<Double, Double, Seq<Double>, Seq<Double>, Boolean>, GpuUdf {
  private static final long serialVersionUID = 1L;

  // Not sent with the UDF, so null in a fresh copy.
  private transient double[] xScratch;
  private transient double[] yScratch;

  @Override
  public Boolean call(Double x, Double y, Seq<Double> xs, Seq<Double> ys) {
    if (x == null || y == null || xs == null || ys == null) {
      return null;
    }
    int length = sameLength(xs.length(), ys.length());
    xScratch = atLeast(xScratch, length);
    yScratch = atLeast(yScratch, length);
    if (!unbox(xs, xScratch) || !unbox(ys, yScratch)) {
      return null;
    }
    return contains(x, y, i -> xScratch[i], yScratch, length);
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return Optional.of(this::batch);
  }

  /** The number of vertices. */
  @Override
  public Optional<CostHint> costHint() {
    return Optional.of((arguments, row) -> arguments.arrays(2).length(row));
  }

  @Override
  public boolean mayRunTwice() {
    return true;
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(CudaSource.resource("point_in_ring.cu", "point_in_ring").inSteps());
  }

  private void batch(Columns arguments, int from, int until, ResultColumn out) {
    DoubleColumn x = arguments.doubles(0);
    DoubleColumn y = arguments.doubles(1);
    ArrayColumn xs = arguments.arrays(2);
    ArrayColumn ys = arguments.arrays(3);
    for (int i = from; i < until; i++) {
      int row = i;
      int length = sameLength(xs.length(row), ys.length(row));
      if (xs.hasNullElement(row) || ys.hasNullElement(row)) {
        out.setNull(row);
      } else {
        yScratch = ys.doubles(row, yScratch);
        out.setBoolean(
            row,
            contains(
                x.get(row), y.get(row), vertex -> xs.getDouble(row, vertex), yScratch, length));
      }
    }
  }

  /**
   * The even-odd test. Where the vertices' x are is asked at the few edges that cross the point's y
   * alone. A joint needs no test of its own. Say one of the vertices is (NaN, NaN): {@code above !=
   * wasAbove} may hold, as NaN counts as not above, but the crossing is then computed with a NaN
   * and is NaN, and {@code x < NaN} is false. So neither the edge into a joint nor the edge out of
   * it is counted, and the rings are not connected. The negated form, {@code !(x >= crossing)},
   * would count both. An edge on which {@code y2 - y1} is 0 has both ends on one side and comes to
   * no division.
   */
  private static boolean contains(
      double x, double y, IntToDoubleFunction xs, double[] ys, int length) {
    boolean inside = false;
    boolean wasAbove = length > 0 && ys[0] > y;
    for (int i = 1; i < length; i++) {
      boolean above = ys[i] > y;
      if (above != wasAbove) {
        double x1 = xs.applyAsDouble(i - 1);
        double y1 = ys[i - 1];
        if (x < (xs.applyAsDouble(i) - x1) * (y - y1) / (ys[i] - y1) + x1) {
          inside = !inside;
        }
      }
      wasAbove = above;
    }
    return inside;
  }

  private static int sameLength(int xs, int ys) {
    if (xs != ys) {
      throw new IllegalArgumentException(
          "point_in_ring: xs has " + xs + " elements and ys has " + ys + "; a vertex needs both");
    }
    return xs;
  }

  /** False if an element is null. By iterator: a Seq need not be fast by index. */
  private static boolean unbox(Seq<Double> boxed, double[] into) {
    int i = 0;
    for (Iterator<Double> elements = boxed.iterator(); elements.hasNext(); i++) {
      Double element = elements.next();
      if (element == null) {
        return false;
      }
      into[i] = element;
    }
    return true;
  }

  private static double[] atLeast(double[] scratch, int length) {
    return scratch != null && scratch.length >= length ? scratch : new double[length];
  }
}
