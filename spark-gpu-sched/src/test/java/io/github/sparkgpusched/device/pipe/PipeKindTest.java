package io.github.sparkgpusched.device.pipe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.device.DeviceContract;
import org.junit.jupiter.api.Test;

/** Devices in another process do what every device must. */
class PipeKindTest {
  @Test
  void isADevice() throws Exception {
    DeviceContract.holds("pipe", () -> new PipeDevice("pipe:0", PipeSettings.RELIABLE));
    assertEquals(0, PipeProcess.live());
  }

  @Test
  void oneWhoseProcessDies() throws Exception {
    DeviceContract.failsAlone(
        new PipeDevice("pipe:0", new PipeSettings(1, 0, 0, 60_000, false)), PipeProcess::killAll);
    assertEquals(0, PipeProcess.live());
  }

  @Test
  void oneThatLosesReplies() throws Exception {
    DeviceContract.failsAlone(
        new PipeDevice("pipe:0", new PipeSettings(1, 1, 0, 300, false)), () -> {});
    assertEquals(0, PipeProcess.live());
  }
}
