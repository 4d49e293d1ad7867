package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CudfNativesTest {
  private final CudfNatives natives = CudfNatives.parse("80 13\n");

  @Test
  void runOnGpusOfTheirGeneration() {
    assertEquals(Optional.empty(), natives.whyNot(80, 13_000));
    assertEquals(Optional.empty(), natives.whyNot(86, 13_010));
    assertEquals(Optional.empty(), natives.whyNot(80, 14_000));
    assertEquals(
        Optional.of("the natives are for sm_80, and this is sm_75"), natives.whyNot(75, 13_000));
    assertEquals(
        Optional.of("the natives are for sm_80, and this is sm_90"), natives.whyNot(90, 13_000));
    assertEquals(
        Optional.of("the natives are for sm_90, and this is sm_100"),
        CudfNatives.parse("90 13").whyNot(100, 13_000));
    assertEquals(
        Optional.of("the natives are for sm_86, and this is sm_80"),
        CudfNatives.parse("86 13").whyNot(80, 13_000));
  }

  @Test
  void needADriverOfTheirCuda() {
    assertEquals(
        Optional.of("the natives are for CUDA 13, and the driver is for CUDA 12.4"),
        natives.whyNot(80, 12_040));
  }
}
