package io.github.sparkgpusched.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BlockTraceTest {
  private final LoadTable table = LoadTable.ofNames(List.of("host:0"));
  private final TaskWork first = table.task("f", 3, 0, 11);
  private final TaskWork second = table.task("f", 3, 1, 12);

  @Test
  void blocksThatFollowAtOnceForOneTaskAreOneSpan() {
    BlockTrace trace = new BlockTrace("host:0", 8);
    trace.add(first, 10, 1_000_000, 2_000_000, false);
    trace.add(first, 20, 2_100_000, 3_000_000, false);
    trace.add(first, 30, 3_100_000, 4_000_000, true); // stolen
    trace.add(second, 40, 4_100_000, 5_000_000, true); // another task
    trace.add(second, 50, 6_000_000, 7_000_000, true); // after a millisecond of nothing
    assertEquals(
        List.of(
            new BlockSpan("host:0", 6_000, 8_000, 30, 2, false, 3, 0, 11, null),
            new BlockSpan("host:0", 8_100, 9_000, 30, 1, true, 3, 0, 11, null),
            new BlockSpan("host:0", 9_100, 10_000, 40, 1, true, 3, 1, 12, null),
            new BlockSpan("host:0", 11_000, 12_000, 50, 1, true, 3, 1, 12, null)),
        trace.drain(5_000));
    assertEquals(List.of(), trace.drain(5_000));
    assertEquals(0, trace.missed());
  }

  @Test
  void keepsTheLastSpansAndCountsTheBlocksOfTheOthers() {
    BlockTrace trace = new BlockTrace("host:0", 4);
    for (int i = 0; i < 10; i++) {
      trace.add(first, 1, i * 10_000_000L, i * 10_000_000L + 1000, false);
    }
    List<BlockSpan> spans = trace.drain(0);
    assertEquals(
        List.of(60_000L, 70_000L, 80_000L, 90_000L),
        spans.stream().map(BlockSpan::startMicros).toList());
    assertEquals(6, trace.missed());
  }

  /** Writers that meet leave blocks out, and say of how many. */
  @Test
  void everyBlockIsInASpanOrCountedAsMissed() throws InterruptedException {
    BlockTrace trace = new BlockTrace("host:0", 4);
    int writers = 3;
    int blocks = 2_000_000;
    AtomicInteger running = new AtomicInteger(writers);
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < blocks; i++) {
                  trace.add(first, 7, 5, 6, false); // all into one span
                }
                running.decrementAndGet();
              }));
    }
    threads.forEach(Thread::start);
    long traced = 0;
    long rows = 0;
    boolean last;
    do {
      last = running.get() == 0;
      for (BlockSpan span : trace.drain(0)) {
        traced += span.blocks();
        rows += span.rows();
      }
    } while (!last);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals((long) writers * blocks, traced + trace.missed());
    assertEquals(7 * traced, rows, "a span that was torn");
    assertTrue(traced > 0);
  }
}
