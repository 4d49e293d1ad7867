package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** A launch that fills the device may take as long as any, and the kernel begins after it. */
  @Test
  void aKernelMayWaitToBeginAsLongAsALaunchMayTake() {
    Heartbeat heartbeat = new Heartbeat(60 * SECOND);
    heartbeat.begin(0);
    heartbeat.look(60 * SECOND, 0);
    assertFalse(heartbeat.hasStopped());
    heartbeat.look(60 * SECOND + 1, 0);
    assertTrue(heartbeat.hasStopped());
  }

  @Test
  void shortLaunchesDoNotMakeItImpatient() {
    Heartbeat heartbeat = new Heartbeat(SECOND);
    heartbeat.begin(0);
    heartbeat.look(10 * SECOND, 0);
    assertFalse(heartbeat.hasStopped());
  }

  @Test
  void oneThatHasBegunStopsEarlier() {
    Heartbeat heartbeat = new Heartbeat(60 * SECOND);
    heartbeat.begin(0);
    heartbeat.look(50 * SECOND, 1);
    assertFalse(heartbeat.isLate());
    heartbeat.look(52 * SECOND, 1);
    assertEquals(2 * SECOND, heartbeat.stillNanos());
    assertFalse(heartbeat.hasStopped());
    heartbeat.look(52 * SECOND + 1, 1);
    assertTrue(heartbeat.hasStopped());
    heartbeat.look(90 * SECOND, 2); // the thread stood still, and not the kernel
    assertFalse(heartbeat.hasStopped());
  }
}
