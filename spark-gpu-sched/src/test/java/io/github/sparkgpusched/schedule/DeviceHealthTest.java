package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.load.LoadEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceHealthTest {
  private final LoadEntry load = new LoadEntry("fake:0", 1);
  private final DeviceHealth health = new DeviceHealth(load, 1000);
  private final long later = DeviceHealth.confirmNanos(1000);

  private DeviceState shown() {
    return load.snapshot().state();
  }

  /** A clock may begin anywhere, below 0 too. */
  @ParameterizedTest
  @ValueSource(longs = {-1_000_000, -500, 0, 5, Long.MAX_VALUE - 600})
  void anOwnerThatDoesNotComeBackIsSeen(long start) {
    assertEquals(0, health.stuckNanos(start + 5000), "it is in no turn");
    health.beginTurn(start);
    assertEquals(0, health.stuckNanos(start + 999));
    assertEquals(0, health.stuckNanos(start + 1100), "seen once");
    assertEquals(0, health.stuckNanos(start + 1100 + later - 1));
    assertTrue(health.stuckNanos(start + 1100 + later) >= 1099 + later);
    health.endTurn();
    assertEquals(0, health.stuckNanos(start + 5000 + later));
  }

  /** Who waits may be the first to run after the whole JVM has stood still. */
  @Test
  void anOwnerMayComeBackAfterAPause() {
    long pause = 100_000;
    health.beginTurn(0);
    assertEquals(0, health.stuckNanos(pause));
    health.endTurn();
    health.beginTurn(pause + 10);
    assertEquals(0, health.stuckNanos(2 * pause), "another turn, that a pause has met, too");
    assertTrue(health.stuckNanos(2 * pause + later) > 0);
  }

  @Test
  void itIsGivenUpSoonAfterItsLimit() {
    assertEquals(50, DeviceHealth.confirmNanos(1000));
    assertEquals(100_000_000, DeviceHealth.confirmNanos(20_000_000_000L));
    assertEquals(100_000_000, DeviceHealth.confirmNanos(600_000_000_000L));
  }

  @Test
  void aFewRecoveriesInSomeMinutesAreAllowed() {
    long now = -7;
    for (int i = 0; i < DeviceHealth.MOST_RECOVERIES; i++) {
      assertTrue(health.beginRecovery(now + i));
      assertFalse(health.isWell());
      assertFalse(health.isLost());
      assertEquals(DeviceState.QUARANTINED, shown());
      assertTrue(health.endRecovery());
      assertTrue(health.isWell());
      assertEquals(DeviceState.ACTIVE, shown());
    }
    assertFalse(health.beginRecovery(now + DeviceHealth.BUDGET_NANOS));
    assertTrue(health.beginRecovery(now + DeviceHealth.BUDGET_NANOS + 1), "the first is forgotten");
    assertFalse(health.beginRecovery(now + DeviceHealth.BUDGET_NANOS + 1));
  }

  @Test
  void whatIsLostStaysLost() {
    assertNull(health.whyLost());
    assertTrue(health.beginRecovery(0));
    assertTrue(health.lose("was given up: first"));
    assertFalse(health.lose("was given up: second"));
    assertFalse(health.endRecovery(), "given up while it recovered");
    assertFalse(health.beginRecovery(1));
    health.close();
    assertEquals("was given up: first", health.whyLost());
    assertEquals(DeviceState.QUARANTINED, shown());
  }

  @Test
  void aDeviceThatIsClosedIsNotShownAsFailed() {
    health.close();
    assertTrue(health.isLost());
    assertEquals(DeviceState.ACTIVE, shown());
  }
}
