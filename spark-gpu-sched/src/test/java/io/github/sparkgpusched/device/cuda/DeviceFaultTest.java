package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job with each fault at each place: {@code integration-tests/campaign devices} goes on. */
class DeviceFaultTest {
  @TempDir Path temporary;

  @Test
  void noFaultLosesARow() throws Exception {
    ProcessBuilder run = CudaDouble.java(temporary, FaultRun.class, "1", "1");
    CudaDouble.Ended ended = CudaDouble.run(temporary, run, Map.of());
    assertEquals(0, ended.status(), ended.output());
    assertFalse(ended.output().contains("WRONG"), ended.output());
    for (DeviceFault fault : DeviceFault.values()) {
      assertTrue(
          Pattern.compile(FaultRun.LINE + fault.text() + ",\\d+,[1-9]")
              .matcher(ended.output())
              .find(),
          () -> "no " + fault + " came: " + ended.output());
    }
  }
}
