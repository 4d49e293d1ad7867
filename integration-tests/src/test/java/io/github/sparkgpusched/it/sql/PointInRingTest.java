package io.github.sparkgpusched.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.functions.PointInRing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.algorithm.locate.IndexedPointInAreaLocator;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Location;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

/**
 * The built-in function against JTS, on random points at the world's countries. JTS and the
 * even-odd rule may differ on a boundary, so points within a millionth of a degree are left out.
 */
class PointInRingTest extends SqlTest {
  private static final GeometryFactory GEOMETRIES = new GeometryFactory();
  private static final double NEAR = 1e-6;
  private static final int POINTS_A_RING = 6;

  private static final Map<Integer, Polygon> POLYGONS = new HashMap<>();

  /** Point number to whether JTS has it inside. */
  private static final List<Boolean> INSIDE = new ArrayList<>();

  @BeforeAll
  static void ask() {
    spark.udf().register("point_in_ring", new PointInRing(), DataTypes.BooleanType);
    spark.read().parquet("data/rings.parquet").createOrReplaceTempView("rings");
    Random random = new Random(42);
    List<Row> points = new ArrayList<>();
    for (Row ring : spark.sql("select ring_id, xs, ys from rings").collectAsList()) {
      Polygon polygon = polygon(ring.getList(1), ring.getList(2));
      POLYGONS.put(ring.getInt(0), polygon);
      // Slivers without area that JTS calls no polygons.
      if (polygon.getNumPoints() > 4 && polygon.isValid()) {
        ask(ring.getInt(0), polygon, random, points);
      }
    }
    StructType schema =
        new StructType()
            .add("point_id", DataTypes.IntegerType)
            .add("ring_id", DataTypes.IntegerType)
            .add("x", DataTypes.DoubleType)
            .add("y", DataTypes.DoubleType);
    spark.createDataFrame(points, schema).createOrReplaceTempView("points");
  }

  /**
   * Points in the box, some of them close to a vertex, where a ray is likeliest to be miscounted.
   */
  private static void ask(int ringId, Polygon polygon, Random random, List<Row> points) {
    IndexedPointInAreaLocator locator = new IndexedPointInAreaLocator(polygon);
    Coordinate[] vertices = polygon.getCoordinates();
    var box = polygon.getEnvelopeInternal();
    int count = polygon.getNumInteriorRing() > 0 ? 40 : POINTS_A_RING;
    for (int i = 0; i < count; i++) {
      Coordinate vertex = vertices[random.nextInt(vertices.length)];
      double x =
          i % 3 == 0
              ? vertex.x + random.nextGaussian() * 0.05
              : box.getMinX() + random.nextDouble() * box.getWidth();
      // Half of the points are on the height of a vertex: the ray passes right through it.
      double y = i % 2 == 0 ? vertex.y : box.getMinY() + random.nextDouble() * box.getHeight();
      Point point = GEOMETRIES.createPoint(new Coordinate(x, y));
      if (polygon.getBoundary().distance(point) > NEAR) {
        points.add(RowFactory.create(INSIDE.size(), ringId, x, y));
        INSIDE.add(locator.locate(point.getCoordinate()) == Location.INTERIOR);
      }
    }
  }

  /** Rings with vertices of NaN between them: the exterior, then the holes. */
  private static Polygon polygon(List<Double> xs, List<Double> ys) {
    List<LinearRing> rings = new ArrayList<>();
    List<Coordinate> ring = new ArrayList<>();
    for (int i = 0; i < xs.size(); i++) {
      if (xs.get(i).isNaN()) {
        rings.add(GEOMETRIES.createLinearRing(ring.toArray(Coordinate[]::new)));
        ring.clear();
      } else {
        ring.add(new Coordinate(xs.get(i), ys.get(i)));
      }
    }
    // A sliver of fewer than four vertices: JTS wants four.
    while (ring.size() < 4) {
      ring.add(ring.get(ring.size() - 1));
    }
    rings.add(GEOMETRIES.createLinearRing(ring.toArray(Coordinate[]::new)));
    return GEOMETRIES.createPolygon(
        rings.get(0), rings.subList(1, rings.size()).toArray(LinearRing[]::new));
  }

  @Test
  void equalsJts() {
    Dataset<Row> answers =
        spark.sql(
            "select point_id, point_in_ring(x, y, xs, ys) from points join rings using (ring_id)");
    List<Row> rows = answers.collectAsList();
    assertTrue(isBatched(answers), () -> plan(answers));
    assertEquals(INSIDE.size(), rows.size());
    long inside = 0;
    for (Row row : rows) {
      assertEquals(INSIDE.get(row.getInt(0)), row.getBoolean(1), row::toString);
      inside += row.getBoolean(1) ? 1 : 0;
    }
    assertTrue(inside > 3000 && rows.size() - inside > 3000, inside + " of " + rows.size());
    assertTrue(
        POLYGONS.values().stream().filter(p -> p.getNumInteriorRing() > 0).count() > 10,
        "polygons with holes");
  }
}
