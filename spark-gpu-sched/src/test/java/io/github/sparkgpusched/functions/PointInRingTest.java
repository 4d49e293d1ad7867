package io.github.sparkgpusched.functions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

class PointInRingTest {
  private static final Double NAN = Double.NaN;
  // A square of side 10, and a square hole from 4 to 6 in it.
  private static final Double[] XS = {0d, 10d, 10d, 0d, 0d, NAN, 4d, 4d, 6d, 6d, 4d};
  private static final Double[] YS = {0d, 0d, 10d, 10d, 0d, NAN, 4d, 6d, 6d, 4d, 4d};

  private final PointInRing udf = new PointInRing();

  @Test
  void tellsInsideFromOutside() {
    assertTrue(call(2, 2, XS, YS));
    assertFalse(call(-1, 5, XS, YS));
    assertFalse(call(11, 5, XS, YS));
    assertFalse(call(5, 11, XS, YS));
    assertFalse(call(5, -1, XS, YS));
  }

  @Test
  void takesARingBehindAJointForAHole() {
    assertFalse(call(5, 5, XS, YS));
    assertTrue(call(3, 5, XS, YS));
    assertTrue(call(7, 5, XS, YS));
  }

  @Test
  void countsNoEdgeThroughAJoint() {
    // Without the joint an edge (0, 0) to (4, 4) and back would run left of (3.9, 3.95).
    for (double y = -0.5; y < 11; y += 0.25) {
      for (double x = -0.5; x < 11; x += 0.25) {
        boolean outer = x >= 0 && x < 10 && y >= 0 && y < 10;
        boolean hole = x >= 4 && x < 6 && y >= 4 && y < 6;
        assertEquals(outer && !hole, call(x, y, XS, YS), x + ", " + y);
      }
    }
  }

  @Test
  void doesNotCloseARing() {
    // The left side is missing: a ray to positive x does not cross it, and crosses the right side.
    assertTrue(call(-1, 5, new Double[] {0d, 10d, 10d, 0d}, new Double[] {0d, 0d, 10d, 10d}));
  }

  @Test
  void hasNoInsideWithoutEdges() {
    assertFalse(call(0, 0, new Double[0], new Double[0]));
    assertFalse(call(0, 0, new Double[] {0d}, new Double[] {1d}));
    assertFalse(call(NAN, 5, XS, YS));
    assertFalse(call(5, NAN, XS, YS));
  }

  @Test
  void isNullForANullArgumentOrVertex() {
    Seq<Double> xs = seq(XS);
    Seq<Double> ys = seq(YS);
    assertNull(udf.call(null, 1d, xs, ys));
    assertNull(udf.call(1d, null, xs, ys));
    assertNull(udf.call(1d, 1d, null, ys));
    assertNull(udf.call(1d, 1d, xs, null));
    Double[] holed = XS.clone();
    holed[3] = null;
    assertNull(call(2, 2, holed, YS));
    assertNull(call(2, 2, YS, holed));
    Object[][] rows = {{2d, 2d, holed, YS}, {2d, 2d, XS, YS}, {2d, 2d, XS, holed}};
    assertArrayEquals(
        new Object[] {null, true, null}, HeapResult.compute(udf, new HeapColumns(rows)));
  }

  @Test
  void refusesArraysOfDifferentLengths() {
    Double[] shorter = Arrays.copyOf(YS, 4);
    String expected = "point_in_ring: xs has 11 elements and ys has 4; a vertex needs both";
    Object[][] rows = {{2d, 2d, XS, shorter}};
    assertEquals(
        expected,
        assertThrows(IllegalArgumentException.class, () -> call(2, 2, XS, shorter)).getMessage());
    assertEquals(
        expected,
        assertThrows(
                IllegalArgumentException.class,
                () -> HeapResult.compute(udf, new HeapColumns(rows)))
            .getMessage());
  }

  @Test
  void reusesScratchOfALargerRow() {
    Double[] triangleXs = {0d, 4d, 0d, 0d};
    Double[] triangleYs = {0d, 0d, 4d, 0d};
    Object[][] rows = {{2d, 2d, XS, YS}, {1d, 1d, triangleXs, triangleYs}, {7d, 5d, XS, YS}};
    assertArrayEquals(
        new Object[] {true, true, true}, HeapResult.compute(udf, new HeapColumns(rows)));
    assertFalse(call(7, 5, triangleXs, triangleYs));
  }

  @Test
  void costsItsVertices() {
    Object[][] rows = {{2d, 2d, XS, YS}, {2d, 2d, new Double[0], new Double[0]}};
    HeapColumns columns = new HeapColumns(rows);
    assertArrayEquals(
        new double[] {11, 0},
        IntStream.range(0, 2)
            .mapToDouble(row -> udf.costHint().orElseThrow().cost(columns, row))
            .toArray());
  }

  private Boolean call(double x, double y, Double[] xs, Double[] ys) {
    return udf.call(x, y, seq(xs), seq(ys));
  }

  private static Seq<Double> seq(Double[] values) {
    return CollectionConverters.asScala(Arrays.asList(values));
  }
}
