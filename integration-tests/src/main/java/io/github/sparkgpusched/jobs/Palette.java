package io.github.sparkgpusched.jobs;

/**
 * Colours of numbers of iterations: dark blue, light blue, white, orange, black, and round again.
 */
final class Palette {
  private static final double[] STOPS = {0, 0.16, 0.42, 0.6425, 0.8575, 1};
  private static final int[] COLORS = {0x000764, 0x206BCB, 0xEDFFFF, 0xFFAA00, 0x000200, 0x000764};

  /** Turns of the palette each time the number of iterations doubles. */
  private static final double TURNS = 0.25;

  /** Doublings at which it begins: those of the points that leave soonest. */
  private static final double BEGIN = 4.9;

  private Palette() {}

  /** The colour, as 0xRRGGBB, of a point that took {@code n} iterations of at most {@code most}. */
  static int color(int n, int most) {
    if (n >= most) {
      return 0;
    }
    double turns = (Math.log(n + 1) / Math.log(2) - BEGIN) * TURNS;
    double at = turns - Math.floor(turns);
    int stop = 0;
    while (at > STOPS[stop + 1]) {
      stop++;
    }
    double part = (at - STOPS[stop]) / (STOPS[stop + 1] - STOPS[stop]);
    return mix(COLORS[stop], COLORS[stop + 1], part * part * (3 - 2 * part));
  }

  private static int mix(int a, int b, double part) {
    int color = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int from = a >> shift & 0xFF;
      int to = b >> shift & 0xFF;
      color |= (int) Math.round(from + part * (to - from)) << shift;
    }
    return color;
  }
}
