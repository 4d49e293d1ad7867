package io.github.sparkgpusched.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.sparkgpusched.api.GpuUdf;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Seeded inputs of each built-in function and a digest of its results. {@code cuda/check/check.cpp}
 * makes the same inputs for the device functions, and the digests of all forms must be the ones in
 * {@code cuda/check/digests.txt}: change a generator in both places.
 */
enum DeviceCases {
  IDENTITY {
    @Override
    GpuUdf udf() {
      return new Identity();
    }

    @Override
    Object[] arguments(int index, Splitmix random) {
      return new Object[] {index == 0 ? -0.0 : random.anyDouble()};
    }

    @Override
    Object call(GpuUdf udf, Object[] arguments) {
      return ((Identity) udf).call((Double) arguments[0]);
    }
  },

  MULTIPLY_ADD {
    @Override
    GpuUdf udf() {
      return new MultiplyAdd();
    }

    /**
     * Every fourth of any bits, the rest near 0, where rounding once or twice makes a difference.
     */
    @Override
    Object[] arguments(int index, Splitmix random) {
      Object[] arguments = new Object[3];
      for (int i = 0; i < 3; i++) {
        arguments[i] = index % 4 == 0 ? random.anyDouble() : random.unit() - 0.5;
      }
      return arguments;
    }

    @Override
    Object call(GpuUdf udf, Object[] arguments) {
      return ((MultiplyAdd) udf)
          .call((Double) arguments[0], (Double) arguments[1], (Double) arguments[2]);
    }
  },

  MANDELBROT_ITERATIONS {
    @Override
    GpuUdf udf() {
      return new MandelbrotIterations();
    }

    /** Every fourth on a coarse grid, where |z| is 2 exactly at times. */
    @Override
    Object[] arguments(int index, Splitmix random) {
      boolean grid = index % 4 == 0;
      double re = grid ? random.below(17) / 4.0 - 2 : random.unit() * 4 - 2.5;
      double im = grid ? random.below(17) / 4.0 - 2 : random.unit() * 4 - 2;
      return new Object[] {re, im, random.below(1000)};
    }

    @Override
    Object call(GpuUdf udf, Object[] arguments) {
      return ((MandelbrotIterations) udf)
          .call((Double) arguments[0], (Double) arguments[1], (Integer) arguments[2]);
    }
  },

  POINT_IN_RING {
    @Override
    GpuUdf udf() {
      return new PointInRing();
    }

    /** One to three rings on a coarse grid, so that points lie on edges and vertices, too. */
    @Override
    Object[] arguments(int index, Splitmix random) {
      List<Double> xs = new ArrayList<>();
      List<Double> ys = new ArrayList<>();
      for (int rings = 1 + random.below(3); rings > 0; rings--) {
        if (!xs.isEmpty()) {
          xs.add(Double.NaN);
          ys.add(Double.NaN);
        }
        int first = xs.size();
        for (int vertices = random.below(12); vertices > 0; vertices--) {
          xs.add(random.below(17) / 3.0);
          ys.add(random.below(17) / 4.0);
        }
        if (xs.size() > first) {
          xs.add(xs.get(first));
          ys.add(ys.get(first));
        }
      }
      return new Object[] {
        random.below(33) / 6.0,
        random.below(33) / 8.0,
        xs.toArray(Double[]::new),
        ys.toArray(Double[]::new)
      };
    }

    @Override
    Object call(GpuUdf udf, Object[] arguments) {
      return ((PointInRing) udf)
          .call((Double) arguments[0], (Double) arguments[1], seq(arguments[2]), seq(arguments[3]));
    }
  },

  LEVENSHTEIN {
    @Override
    GpuUdf udf() {
      return new Levenshtein();
    }

    /** Mostly words; one pair of long texts, for which the device function needs more memory. */
    @Override
    Object[] arguments(int index, Splitmix random) {
      int most = index == 7 ? 3700 : index % 64 == 0 ? 300 : 24;
      int least = index == 7 ? 3300 : 0;
      return new Object[] {
        text(random, least + random.below(most - least)),
        text(random, least + random.below(most - least))
      };
    }

    @Override
    Object call(GpuUdf udf, Object[] arguments) {
      return ((Levenshtein) udf)
          .call(new String((byte[]) arguments[0], UTF_8), new String((byte[]) arguments[1], UTF_8));
    }
  };

  /** Cases of each function that count for the digests. */
  static final int CASES = 4096;

  abstract GpuUdf udf();

  /** The next row's arguments, boxed; strings as bytes, which are not always valid UTF-8. */
  abstract Object[] arguments(int index, Splitmix random);

  abstract Object call(GpuUdf udf, Object[] arguments);

  /** Digest of the results of the batch method, or of call. */
  String digest(GpuUdf udf, int cases, boolean batch) {
    Splitmix random = new Splitmix(1);
    Object[][] rows = new Object[cases][];
    for (int i = 0; i < cases; i++) {
      rows[i] = arguments(i, random);
    }
    Object[] results =
        batch
            ? HeapResult.compute(udf, new HeapColumns(rows))
            : Arrays.stream(rows).map(row -> call(udf, row)).toArray();
    long digest = 0xCBF29CE484222325L;
    for (Object result : results) {
      digest = (digest ^ bits(result)) * 0x100000001B3L;
    }
    return "%s %d %016x".formatted(udf.cuda().orElseThrow().function(), cases, digest);
  }

  /** All NaNs are one: hardware does not agree on their bits. */
  private static long bits(Object result) {
    if (result instanceof Double number) {
      return Double.doubleToLongBits(number);
    }
    return result instanceof Boolean truth ? (truth ? 1 : 0) : (Integer) result;
  }

  @SuppressWarnings("unchecked")
  private static Seq<Double> seq(Object array) {
    return CollectionConverters.asScala(Arrays.asList((Double[]) array));
  }

  private static byte[] text(Splitmix random, int pieces) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int i = 0; i < pieces; i++) {
      switch (random.below(16)) {
        case 0, 1 -> write(text, 0xC3, 0xA9 + random.below(3));
        case 2, 3 -> write(text, 0xE2, 0x82, 0xAC + random.below(3));
        case 4, 5 -> write(text, 0xF0, 0x9F, 0x98, 0x80 + random.below(3));
        // Malformed for the most part: any byte of a character, and any beginning of a long one.
        case 6 -> write(text, 0x80 + random.below(128));
        case 7 ->
            write(text, 0xE0 + random.below(21), 0x80 + random.below(64), 0x80 + random.below(64));
        default -> write(text, 'a' + random.below(3));
      }
    }
    return text.toByteArray();
  }

  private static void write(ByteArrayOutputStream text, int... bytes) {
    for (int next : bytes) {
      text.write(next);
    }
  }

  /** Steele, Lea and Flood's SplitMix64 (OOPSLA 2014): a few lines in any language. */
  static final class Splitmix {
    private long state;

    Splitmix(long seed) {
      state = seed;
    }

    long next() {
      state += 0x9E3779B97F4A7C15L;
      long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      return z ^ (z >>> 31);
    }

    int below(int bound) {
      return (int) ((next() >>> 33) % bound);
    }

    /** In [0, 1), a multiple of 2^-53. */
    double unit() {
      return (next() >>> 11) * 0x1p-53;
    }

    double anyDouble() {
      return Double.longBitsToDouble(next());
    }
  }
}
