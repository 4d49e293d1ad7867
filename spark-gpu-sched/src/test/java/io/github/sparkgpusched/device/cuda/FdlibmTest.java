package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The device's functions (cuda/include/gpusched/fdlibm.cuh), compiled for the host, against {@link
 * StrictMath}, bit for bit: all pairs of special numbers and their neighbours, and random numbers
 * of all exponents and of ranges where functions are not trivial. NaNs count as one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FdlibmTest {
  private static final int PER_RANGE = Integer.getInteger("gpusched.fdlibm.cases", 100_000);

  private record Strict(String name, boolean takesTwo, DoubleBinaryOperator java) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Strict one(String name, DoubleUnaryOperator java) {
    return new Strict(name, false, (x, y) -> java.applyAsDouble(x));
  }

  private static Strict two(String name, DoubleBinaryOperator java) {
    return new Strict(name, true, java);
  }

  static List<Strict> functions() {
    return List.of(
        one("sin", StrictMath::sin),
        one("cos", StrictMath::cos),
        one("tan", StrictMath::tan),
        one("asin", StrictMath::asin),
        one("acos", StrictMath::acos),
        one("atan", StrictMath::atan),
        one("exp", StrictMath::exp),
        one("expm1", StrictMath::expm1),
        one("log", StrictMath::log),
        one("log10", StrictMath::log10),
        one("log1p", StrictMath::log1p),
        one("sqrt", StrictMath::sqrt),
        one("cbrt", StrictMath::cbrt),
        one("sinh", StrictMath::sinh),
        one("cosh", StrictMath::cosh),
        one("tanh", StrictMath::tanh),
        two("atan2", StrictMath::atan2),
        two("pow", StrictMath::pow),
        two("hypot", StrictMath::hypot));
  }

  private static final double[] SPECIAL = special();

  /** Largest magnitudes of random numbers; 0 is for those of all exponents. */
  private static final List<Double> RANGES = List.of(0.0, 1.0, 4.0, 60.0, 800.0, 1e6, 1e300);

  private Function library;

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    assumeTrue(CudaDouble.has("g++"), "skipped: no g++ to compile the functions");
    Path check = Path.of("..", "cuda", "check").toAbsolutePath();
    Path built = folder.resolve("libfdlibm.so");
    Process compiler =
        new ProcessBuilder(
                "g++",
                "-std=c++20",
                "-O1",
                "-ffp-contract=off",
                "-fPIC",
                "-shared",
                "-D__device__=",
                "-I",
                check.resolve("../include").toString(),
                "-o",
                built.toString(),
                check.resolve("fdlibm.cpp").toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertEquals(0, compiler.waitFor(), Files.readString(folder.resolve("log")));
    library = NativeLibrary.getInstance(built.toString()).getFunction("gpusched_fdlibm");
  }

  private static double[] special() {
    double[] some = {
      0,
      Double.MIN_VALUE,
      Double.MIN_NORMAL,
      0x1p-1000,
      0x1p-500,
      0x1p-60,
      0x1p-54,
      0x1p-29,
      0x1p-28,
      0x1p-27,
      0.25,
      0.3,
      0.34657,
      0.4375,
      0.5,
      0.6744,
      0.6875,
      Math.PI / 4,
      0.975,
      1,
      1.0397,
      1.1875,
      Math.PI / 2,
      1.5,
      2,
      2.4375,
      3 * Math.PI / 4,
      3,
      Math.PI,
      22,
      38.75,
      64,
      709.782712893384,
      710.4758600739439,
      744.4400719213812,
      745.1332191019411,
      1074,
      1075,
      823549.6,
      0x1p31,
      0x1p52,
      0x1p53,
      0x1p53 + 2,
      0x1p64,
      0x1p66,
      0x1p500,
      0x1p501,
      6.3819569e8,
      1e22,
      5.319372648326541E255,
      Double.MAX_VALUE,
      Double.POSITIVE_INFINITY
    };
    double[] all = new double[some.length * 6 + 1];
    int n = 0;
    all[n++] = Double.NaN;
    for (double x : some) {
      for (double near : new double[] {x, Math.nextUp(x), Math.nextDown(x)}) {
        all[n++] = near;
        all[n++] = -near;
      }
    }
    return all;
  }

  private void agree(Strict function, double[] x, double[] y) {
    double[] result = new double[x.length];
    assertEquals(1, library.invokeInt(new Object[] {function.name(), x, y, result, x.length}));
    for (int i = 0; i < x.length; i++) {
      double java = function.java().applyAsDouble(x[i], y[i]);
      if (Double.doubleToLongBits(java) != Double.doubleToLongBits(result[i])) {
        assertTrue(
            false,
            "%s(%s, %s) is %s, and here %s"
                .formatted(
                    function,
                    Double.toHexString(x[i]),
                    Double.toHexString(y[i]),
                    Double.toHexString(java),
                    Double.toHexString(result[i])));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("functions")
  void givesTheBitsOfStrictMath(Strict function) {
    double[] x = new double[SPECIAL.length * SPECIAL.length];
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = SPECIAL[i / SPECIAL.length];
      y[i] = SPECIAL[i % SPECIAL.length];
    }
    agree(function, x, y);
    SplittableRandom random = new SplittableRandom(20261123);
    x = new double[PER_RANGE];
    y = new double[PER_RANGE];
    for (double ofX : RANGES) {
      for (double ofY : function.takesTwo() ? RANGES : List.of(1.0)) {
        for (int i = 0; i < PER_RANGE; i++) {
          x[i] = number(random, ofX);
          y[i] = number(random, ofY);
        }
        agree(function, x, y);
      }
    }
    // Next to multiples of pi/2, where sine, cosine and tangent lose most digits, and to whole
    // powers.
    for (int i = 0; i < PER_RANGE; i++) {
      x[i] =
          random.nextInt(1 << (1 + i % 21)) * (Math.PI / 2)
              + (i % 3 - 1) * Math.scalb(1.0, -(i % 70));
      y[i] = random.nextInt(-40, 40) / 2.0;
    }
    agree(function, x, y);
    for (int i = 0; i < PER_RANGE; i++) {
      x[i] = 1 + (random.nextDouble() - 0.5) * Math.scalb(1.0, -(i % 40));
      y[i] = number(random, Math.scalb(1.0, i % 66));
    }
    agree(function, x, y);
  }

  private static double number(SplittableRandom random, double most) {
    return most == 0
        ? Double.longBitsToDouble(random.nextLong())
        : (2 * random.nextDouble() - 1) * most;
  }
}
