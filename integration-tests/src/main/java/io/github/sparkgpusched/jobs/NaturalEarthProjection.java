package io.github.sparkgpusched.jobs;

import java.awt.geom.Point2D;

/**
 * The Natural Earth projection, a compromise between true areas and true shapes, by the polynomial
 * of Šavrič, Patterson and Jenny (2011).
 */
final class NaturalEarthProjection {
  private final double left;
  private final double top;
  private final double scale;

  /**
   * Longitudes -180 to 180 over a width, from a latitude down.
   *
   * @param left x of longitude -180 on the equator
   * @param top y of {@code topLatitude}
   * @param width pixels from longitude -180 to 180 on the equator
   */
  NaturalEarthProjection(double left, double top, double width, double topLatitude) {
    this.scale = width / (2 * x(Math.PI, 0));
    this.left = left + width / 2;
    this.top = top + scale * y(Math.toRadians(topLatitude));
  }

  /** The pixel of a position in degrees. */
  Point2D at(double lon, double lat) {
    double phi = Math.toRadians(lat);
    return new Point2D.Double(left + scale * x(Math.toRadians(lon), phi), top - scale * y(phi));
  }

  private static double x(double lambda, double phi) {
    double phi2 = phi * phi;
    double phi4 = phi2 * phi2;
    return lambda
        * (0.8707
            - 0.131979 * phi2
            + phi4 * (-0.013791 + phi4 * (0.003971 * phi2 - 0.001529 * phi4)));
  }

  private static double y(double phi) {
    double phi2 = phi * phi;
    double phi4 = phi2 * phi2;
    return phi
        * (1.007226 + phi2 * (0.015085 + phi4 * (-0.044475 + 0.028874 * phi2 - 0.005916 * phi4)));
  }
}
