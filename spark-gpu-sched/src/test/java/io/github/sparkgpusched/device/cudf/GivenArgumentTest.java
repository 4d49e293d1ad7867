package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GivenArgumentTest {
  @Test
  void theThresholdOfLongOffsetsIsReadAsLibcudfReadsIt() {
    assertEquals(Integer.MAX_VALUE, GivenArgument.largeBytes(null));
    assertEquals(Integer.MAX_VALUE, GivenArgument.largeBytes("many"));
    assertEquals(Integer.MAX_VALUE, GivenArgument.largeBytes("0"));
    assertEquals(Integer.MAX_VALUE, GivenArgument.largeBytes("2147483648"));
    assertEquals(64, GivenArgument.largeBytes("64"));
  }
}
