package io.github.sparkgpusched.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LoadTableTest {
  private static final int LEAST_READS = 20_000;

  @Test
  void snapshotHasEachCounterInItsPlace() {
    LoadEntry entry = new LoadEntry("host:0", 2);
    long start = System.nanoTime();
    entry.beginBlock(start);
    entry.endBlock(10, start, start + 100, false, null);
    entry.beginBlock(start + 100);
    entry.endBlock(5, start + 100, start + 150, false, null);
    entry.beginBlock(start + 150);
    entry.endFailure(start + 150, start + 157, null, "it broke");
    entry.addInnerBlock(4, false, null);
    entry.addInnerFailure(null, "it broke");
    entry.addSteals(2, true);
    entry.addSteals(1, true);
    entry.addSteals(1, false);
    entry.addQueueDepth(30);
    entry.addQueueDepth(-10);
    entry.beginBlock(start + 157);
    entry.setState(DeviceState.QUARANTINED);
    DeviceLoad load = entry.snapshot();
    assertEquals("host:0", load.device());
    assertEquals(DeviceState.QUARANTINED, load.state());
    assertEquals(20, load.queueDepth());
    assertEquals(2, load.capacity());
    assertEquals(1, load.inFlight());
    assertEquals(19, load.rows());
    assertEquals(3, load.blocks());
    assertEquals(4, load.stealRequests());
    assertEquals(2, load.steals());
    assertEquals(2, load.emptySteals());
    assertEquals(2, load.failures());
    assertEquals(157, load.busyNanos());
    assertNull(load.offers(), "a host device makes none, which is not the same as 0 of them");
    assertNull(load.stalledNanos());
    assertNull(load.freeBytes());
    assertNull(load.usedBytes());
  }

  @Test
  void timeWithoutABlockIsIdle() {
    LoadEntry entry = new LoadEntry("host:0", 1);
    long start = System.nanoTime() + 1_000_000;
    entry.beginBlock(start);
    long before = entry.snapshot().idleNanos();
    assertTrue(before >= 1_000_000, "before the first block: " + before);
    entry.beginBlock(start + 10);
    entry.endBlock(1, start, start + 20, false, null);
    assertEquals(before, entry.snapshot().idleNanos(), "one block is still in flight");
    entry.endBlock(1, start + 10, start + 30, false, null);
    entry.beginBlock(start + 1030);
    assertEquals(before + 1000, entry.snapshot().idleNanos());
  }

  /**
   * Each update keeps blocks = rows / 3 = busy time / 2 = steal requests, but for one block that is
   * in flight for each writer; a reader that saw half an update would see another relation.
   */
  @Test
  void readersSeeWholeUpdatesAndNoneIsLost() throws InterruptedException {
    LoadEntry entry = new LoadEntry("host:0", 1);
    int writers = 3;
    int blocks = 50_000;
    AtomicReference<DeviceLoad> torn = new AtomicReference<>();
    AtomicInteger running = new AtomicInteger(writers);
    AtomicInteger reads = new AtomicInteger();
    AtomicLong written = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < writers; t++) {
      threads.add(
          new Thread(
              () -> {
                int i = 0;
                // On a busy machine the reader may come late: writers wait for it by writing on.
                for (; i < blocks || reads.get() < LEAST_READS; i++) {
                  entry.beginBlock(0);
                  entry.endBlock(3, 0, 2, false, null);
                }
                written.addAndGet(i);
                running.decrementAndGet();
              }));
    }
    Thread reader =
        new Thread(
            () -> {
              do {
                DeviceLoad seen = entry.snapshot();
                reads.incrementAndGet();
                if (seen.rows() != 3 * seen.blocks()
                    || seen.busyNanos() != 2 * seen.blocks()
                    || seen.inFlight() < 0
                    || seen.inFlight() > writers) {
                  torn.set(seen);
                }
              } while (running.get() > 0);
            });
    threads.add(reader);
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertNull(torn.get());
    DeviceLoad end = entry.snapshot();
    assertEquals(written.get(), end.blocks());
    assertEquals(3 * written.get(), end.rows());
    assertEquals(2 * written.get(), end.busyNanos());
    assertEquals(0, end.inFlight());
  }

  /** What a reader holds is not changed below its hands, whatever threads run when. */
  @Test
  void aPublishedStateNeverChanges() {
    LoadEntry entry = new LoadEntry("host:0", 1);
    Counters before = entry.get();
    entry.beginBlock(0);
    entry.endBlock(3, 0, 2, false, null);
    entry.addSteals(2, true);
    assertEquals(
        LoadTable.ofNames(List.of("host:0")).snapshot().get(0).toBuilder().idleNanos(0).build(),
        before.load("host:0", 1, false, before.idleSince).toBuilder().idleNanos(0).build());
    assertEquals(3, entry.snapshot().rows());
  }

  @Test
  void rendersOneLineWithoutIdleDevices() {
    LoadTable table = LoadTable.ofNames(List.of("host:0", "host:1", "host:2"));
    table.entry(1).beginBlock(0);
    table.entry(1).endBlock(1000, 0, 1_500_000_000L, false, null);
    table.entry(1).addSteals(1, true);
    assertEquals(
        "host:1 rows=1000 blocks=1 steals=1/1 failures=0 busy=1.500s; 2 without work",
        table.toString());
    assertEquals("1 without work", LoadTable.ofNames(List.of("host:0")).toString());
    assertEquals("", LoadTable.render(List.of()));
  }

  @Test
  void aCoreThatComputesRowsWhereTheyAreOrForOthersIsNotWithoutWork() {
    LoadTable table = LoadTable.ofNames(List.of("host:0", "host:1", "host:2"));
    table.entry(0).addInline(1000, 0, 1_500_000_000L, null);
    table.entry(1).beginBlock(0);
    table.entry(1).endBlock(7, 0, 500_000_000L, false, LoadTable.guest("2", 0, 0, 1));
    assertEquals(
        "host:0 rows=1000 blocks=0 steals=0/0 failures=0 busy=1.500s; "
            + "host:1 rows=0 blocks=0 steals=0/0 failures=0 busy=0.500s lent=7; 1 without work",
        table.toString());
  }

  @Test
  void refusesADeviceThatHoldsNoBlock() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new LoadEntry("host:0", 0)).getMessage();
    assertEquals("the device host:0 must hold at least 1 block, not 0", message);
  }

  private static List<String> names(LoadTable table) {
    return table.snapshot().stream().map(DeviceLoad::device).toList();
  }

  @Test
  void aBorrowedDeviceIsToldOfFromItsFirstBlockOnAndBehindThoseBefore() {
    LoadEntry first = new LoadEntry("remote:0", 2, true);
    LoadEntry second = new LoadEntry("remote:1", 2, true);
    LoadTable table =
        new LoadTable(
            List.of(new LoadEntry("host:0", 1), first, second, new LoadEntry("rapids:0", 1)));
    assertEquals(List.of("host:0", "rapids:0"), names(table));
    assertTrue(table.report("1", 0).shares());
    assertFalse(new LoadTable(List.of(new LoadEntry("host:0", 1))).report("1", 0).shares());
    second.beginBlock(100);
    assertEquals(List.of("host:0", "rapids:0", "remote:1"), names(table));
    second.endBlock(7, 100, 200, false, null);
    first.beginBlock(300);
    first.endUnpublished(300, 400);
    assertEquals(List.of("host:0", "rapids:0", "remote:1", "remote:0"), names(table));
    assertEquals(7, DeviceMeasures.BORROWED_ROWS.kept(table.snapshot().get(2)));
    assertNull(DeviceMeasures.BORROWED_ROWS.kept(table.snapshot().get(0)));
    assertEquals(4, table.size());
  }

  /** The executor whose rows they are counts them. */
  @Test
  void rowsOfOtherExecutorsAreNoRowsOfADevice() {
    LoadEntry entry = new LoadEntry("host:0", 1);
    LoadTable table = new LoadTable(List.of(entry));
    assertNull(entry.snapshot().lentRows());
    entry.beginBlock(0);
    entry.endBlock(40, 0, 1_000_000, false, LoadTable.guest("2", 3, 1, 11));
    entry.beginBlock(1_000_000);
    entry.endBlock(2, 1_000_000, 1_500_000, false, LoadTable.guest("2", 3, 1, 11));
    DeviceLoad load = entry.snapshot();
    assertEquals(0, load.rows());
    assertEquals(0, load.blocks());
    assertEquals(42, load.lentRows());
    assertEquals(1_500_000, load.lentNanos());
    assertEquals(1_500_000, load.busyNanos());
    assertEquals(List.of(), table.report("1", 0).udfs());
  }

  @Test
  void theTimelineHasThemWithTheirExecutorAndTask() {
    LoadEntry entry = new LoadEntry("host:0", 1);
    entry.beginBlock(0);
    entry.endBlock(40, 0, 1_000_000, false, LoadTable.guest("2", 3, 1, 11));
    List<BlockSpan> spans = new LoadTable(List.of(entry)).report("1", 0).spans();
    assertEquals(1, spans.size());
    assertEquals("2", spans.get(0).lentTo());
    assertEquals(3, spans.get(0).stageId());
    assertEquals(1, spans.get(0).stageAttempt());
    assertEquals(11, spans.get(0).taskId());
    assertEquals(40, spans.get(0).rows());
  }
}
