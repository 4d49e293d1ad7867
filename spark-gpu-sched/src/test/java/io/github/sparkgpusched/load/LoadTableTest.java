package io.github.sparkgpusched.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.sparkgpusched.api.DeviceLoad;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadTableTest {
  @Test
  void snapshotHasEachCounterInItsPlace() {
    LoadEntry entry = new LoadEntry("host:0", 2);
    entry.addBlock(10, 100);
    entry.addBlock(5, 50);
    entry.addFailure(7);
    entry.addSteals(1, true);
    entry.addSteals(1, true);
    entry.addSteals(1, false);
    entry.addQueueDepth(30);
    entry.addQueueDepth(-10);
    assertEquals(new DeviceLoad("host:0", 20, 2, 15, 2, 3, 2, 1, 157), entry.snapshot());
  }

  @Test
  void countsOfThreadsThatShareADeviceAreNotLost() throws InterruptedException {
    LoadEntry entry = new LoadEntry("host:0", 1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 50_000; i++) {
                  entry.addBlock(3, 2);
                  entry.addSteals(1, i % 2 == 0);
                  entry.addQueueDepth(i % 2 == 0 ? 1 : -1);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(
        new DeviceLoad("host:0", 0, 1, 600_000, 200_000, 200_000, 100_000, 0, 400_000),
        entry.snapshot());
  }

  @Test
  void rendersOneLineWithoutIdleDevices() {
    LoadTable table = LoadTable.ofNames(List.of("host:0", "host:1", "host:2"));
    table.entry(1).addBlock(1000, 1_500_000_000L);
    table.entry(1).addSteals(1, true);
    assertEquals(
        "host:1 rows=1000 blocks=1 steals=1/1 failures=0 busy=1.500s; 2 without work",
        table.toString());
    assertEquals("1 without work", LoadTable.ofNames(List.of("host:0")).toString());
    assertEquals("", LoadTable.render(List.of()));
  }

  @Test
  void refusesADeviceThatHoldsNoBlock() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new LoadEntry("host:0", 0)).getMessage();
    assertEquals("the device host:0 must hold at least 1 block, not 0", message);
  }
}
