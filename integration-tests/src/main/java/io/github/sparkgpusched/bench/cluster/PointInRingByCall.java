package io.github.sparkgpusched.bench.cluster;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.functions.PointInRing;
import org.apache.spark.sql.api.java.UDF4;
import scala.collection.Seq;

/** Points in rings as an author has it who has written no more than {@code call}. */
public final class PointInRingByCall
    implements UDF4<Double, Double, Seq<Double>, Seq<Double>, Boolean>, GpuUdf {
  private static final long serialVersionUID = 1L;

  private final PointInRing function = new PointInRing();

  @Override
  public Boolean call(Double x, Double y, Seq<Double> xs, Seq<Double> ys) {
    return function.call(x, y, xs, ys);
  }
}
