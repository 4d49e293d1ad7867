package io.github.sparkgpusched.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArithmeticFunctionsTest {
  @Test
  void multiplyAddRoundsTwice() {
    double a = 1 + 0x1p-30;
    double b = 1 - 0x1p-30;
    assertEquals(0.0, new MultiplyAdd().call(a, b, -1.0));
    assertNotEquals(0.0, Math.fma(a, b, -1.0));
  }

  @Test
  void multiplyAddIsNullForANullArgument() {
    MultiplyAdd udf = new MultiplyAdd();
    assertNull(udf.call(null, 1.0, 1.0));
    assertNull(udf.call(1.0, null, 1.0));
    assertNull(udf.call(1.0, 1.0, null));
  }

  @Test
  void identityGivesItsArgument() {
    Identity udf = new Identity();
    assertNull(udf.call(null));
    assertEquals(-0.0, udf.call(-0.0));
    assertEquals(Double.NaN, udf.call(Double.NaN));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 50, 50",
    "-2, 0, 50, 50",
    "3, 0, 50, 1",
    "0, 3, 50, 1",
    "1, 0, 50, 3",
    "0, 0, 0, 0",
    "0, 0, -7, 0",
    "NaN, 0, 50, 1",
    "Infinity, 0, 50, 1"
  })
  void mandelbrotCountsUntilItEscapes(double re, double im, int most, int expected) {
    assertEquals(expected, new MandelbrotIterations().call(re, im, most));
  }

  @Test
  void mandelbrotIsNullForANullArgument() {
    MandelbrotIterations udf = new MandelbrotIterations();
    assertNull(udf.call(null, 0.0, 1));
    assertNull(udf.call(0.0, null, 1));
    assertNull(udf.call(0.0, 0.0, null));
  }
}
