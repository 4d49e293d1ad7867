package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** In all orders: a block ends once, and who hands it back and who commits it agree. */
class FlightsModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 200);

  /** Deals rows one by one; counts what becomes of each, and threads that are inside at once. */
  private static final class Rows implements Dealer {
    final AtomicIntegerArray committed;
    final AtomicIntegerArray handedBack;
    final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger together = new AtomicInteger();
    private int next;

    Rows(int rows) {
      committed = new AtomicIntegerArray(rows);
      handedBack = new AtomicIntegerArray(rows);
    }

    private void enter() {
      if (inside.incrementAndGet() > 1) {
        together.incrementAndGet();
      }
      inside.decrementAndGet();
    }

    @Override
    public boolean claim(int worker, long nowNanos, Claim claim) {
      enter();
      if (next == committed.length()) {
        return false;
      }
      next++;
      return true;
    }

    @Override
    public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
      enter();
      committed.incrementAndGet((int) reached);
    }

    @Override
    public void handBack(int worker, Claim claim, long nowNanos) {
      enter();
      handedBack.incrementAndGet(0);
    }

    @Override
    public void leave(int worker) {
      enter();
    }

    @Override
    public long queuedRows(int worker) {
      return 0;
    }

    @Override
    public long rowsLeft() {
      return 0;
    }

    @Override
    public double costLeft() {
      return 0;
    }

    @Override
    public long rowsCommitted() {
      return 0;
    }
  }

  /** The owner launches two blocks and lands them, while another thread gives the device up. */
  private static void run(boolean recovers) {
    Rows rows = new Rows(2);
    Flights flights = new Flights(new LoadEntry("fake:0", 2));
    DevicePart part = new DevicePart(null, rows, 0, true);
    int landed = 0;
    Thread watcher =
        new Thread(
            () -> {
              flights.ground(5);
              flights.leave(rows, 0);
            });
    watcher.start();
    int claimed = 0;
    for (int i = 0; i < 2; i++) {
      Flights.Block block = flights.claim(part, new Claim(), 1);
      if (block != null) {
        claimed++;
        flights.launched(block, null, i, 2);
      }
    }
    Flights.Block oldest = flights.oldest();
    if (oldest != null && flights.commit(oldest, 1, 3) != null) {
      landed++;
    }
    oldest = flights.oldest();
    if (oldest != null && flights.end(oldest, recovers, 4)) {
      landed += recovers ? 0 : 1;
    }
    try {
      watcher.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    int ended = landed + rows.handedBack.get(0);
    assertEquals(claimed, ended, "each claimed block ends once");
    assertEquals(0, flights.size());
    assertEquals(0, rows.together.get(), "a dealer's worker is one thread at a time");
  }

  @Test
  void theDeviceIsGivenUpWhileItsOwnerWorks() {
    run(false);
    Lincheck.runConcurrentTest(ORDERS, () -> run(false));
  }

  @Test
  void theDeviceIsGivenUpWhileItsOwnerHandsBack() {
    run(true);
    Lincheck.runConcurrentTest(ORDERS, () -> run(true));
  }
}
