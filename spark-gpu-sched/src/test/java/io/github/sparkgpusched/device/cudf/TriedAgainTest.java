package io.github.sparkgpusched.device.cudf;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nvidia.spark.rapids.jni.GpuOOM;
import com.nvidia.spark.rapids.jni.GpuRetryOOM;
import org.junit.jupiter.api.Test;

class TriedAgainTest {
  @Test
  void memoryThatIsShortIsNoFailure() {
    assertTrue(TriedAgain.isAfter(new GpuRetryOOM("short")));
  }

  @Test
  void otherErrorsAre() {
    assertFalse(TriedAgain.isAfter(new IllegalStateException("short", new GpuRetryOOM("short"))));
    assertFalse(TriedAgain.isAfter(new OutOfMemoryError("short")));
    assertFalse(TriedAgain.isAfter(new GpuOOM("short for good")));
  }
}
