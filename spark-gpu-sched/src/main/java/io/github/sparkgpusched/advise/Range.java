package io.github.sparkgpusched.advise;

/** A figure that is not known exactly: at least, most likely, at most. */
record Range(double low, double mid, double high) {
  static final Range ZERO = new Range(0, 0, 0);

  Range plus(Range other) {
    return new Range(low + other.low, mid + other.mid, high + other.high);
  }

  /** Three figures in whatever order. */
  static Range of(double a, double b, double c) {
    double low = Math.min(a, Math.min(b, c));
    double high = Math.max(a, Math.max(b, c));
    return new Range(low, a + b + c - low - high, high);
  }
}
