package io.github.sparkgpusched.functions;

/**
 * A point on its way through {@code z = z * z + c}, beside another. The order of operations is that
 * of {@link MandelbrotIterations#call}, bit for bit. Not thread-safe.
 */
final class Orbit {
  int row;

  /** Iterations made. */
  int n;

  private double re;
  private double im;
  private int maxIterations;
  private double zr;
  private double zi;

  void begin(int row, double re, double im, int maxIterations) {
    this.row = row;
    this.re = re;
    this.im = im;
    this.maxIterations = maxIterations;
    n = 0;
    zr = 0;
    zi = 0;
  }

  /** Beside this one any other goes on to its own end. */
  void beginEndless() {
    begin(-1, 0, 0, Integer.MAX_VALUE);
  }

  boolean hasEnded() {
    // NaN is not <= 4.
    return !(n < maxIterations && zr * zr + zi * zi <= 4);
  }

  /** Goes on with both until one of them has ended. */
  static void iterate(Orbit a, Orbit b) {
    double re = a.re;
    double im = a.im;
    double zr = a.zr;
    double zi = a.zi;
    double zr2 = zr * zr;
    double zi2 = zi * zi;
    double otherRe = b.re;
    double otherIm = b.im;
    double otherZr = b.zr;
    double otherZi = b.zi;
    double otherZr2 = otherZr * otherZr;
    double otherZi2 = otherZi * otherZi;
    int most = Math.min(a.maxIterations - a.n, b.maxIterations - b.n);
    int n = 0;
    while (n < most && zr2 + zi2 <= 4 && otherZr2 + otherZi2 <= 4) {
      double product = zr * zi;
      double otherProduct = otherZr * otherZi;
      zi = product + product + im;
      otherZi = otherProduct + otherProduct + otherIm;
      zr = zr2 - zi2 + re;
      otherZr = otherZr2 - otherZi2 + otherRe;
      zr2 = zr * zr;
      otherZr2 = otherZr * otherZr;
      zi2 = zi * zi;
      otherZi2 = otherZi * otherZi;
      n++;
    }
    a.n += n;
    a.zr = zr;
    a.zi = zi;
    b.n += n;
    b.zr = otherZr;
    b.zi = otherZi;
  }
}
