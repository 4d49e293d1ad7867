package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.load.LoadEntry;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeviceStandingTest {
  private final FakeDevice device = new FakeDevice("fake:0", 2);
  private final DeviceStanding standing =
      new DeviceStanding(device, new LoadEntry(device.name(), 2), null);

  private void hasFree(long bytes) {
    device.facts = new DeviceFacts(bytes, 8000, Map.of());
  }

  private void refresh(long now) {
    try {
      standing.refresh(now);
    } catch (DeviceFailedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatWasSaidLongAgoIsAskedAnew() {
    hasFree(1000);
    // A long time after it was made, and long ago.
    refresh(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    standing.outdate(System.nanoTime() - TimeUnit.HOURS.toNanos(1));
    hasFree(5000);
    assertEquals(1000, standing.facts().freeBytes());
    assertEquals(5000, standing.freshFacts(() -> refresh(System.nanoTime())).freeBytes());
    hasFree(2000);
    assertEquals(5000, standing.freshFacts(() -> refresh(System.nanoTime())).freeBytes());
  }

  @Test
  void anOwnerThatIsBusyIsNotWaitedForLong() {
    hasFree(1000);
    refresh(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    standing.outdate(System.nanoTime() - TimeUnit.HOURS.toNanos(1));
    assertEquals(1000, standing.freshFacts(() -> {}).freeBytes());
  }
}
