package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.testing.ModelCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In all orders: a block ends once, and who hands it back and who commits it agree. */
class FlightsModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 200);

  /** Deals rows one by one, those that come back again; counts threads that are inside at once. */
  private static final class Rows implements Dealer {
    final AtomicInteger committed = new AtomicInteger();
    final AtomicInteger handedBack = new AtomicInteger();
    final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger together = new AtomicInteger();

    private void enter() {
      if (inside.incrementAndGet() > 1) {
        together.incrementAndGet();
      }
      inside.decrementAndGet();
    }

    @Override
    public boolean claim(int worker, long nowNanos, Claim claim) {
      enter();
      return true;
    }

    @Override
    public void commit(int worker, Claim claim, long reached, long nanos, long nowNanos) {
      enter();
      committed.incrementAndGet();
    }

    @Override
    public void handBack(int worker, Claim claim, long nowNanos) {
      enter();
      handedBack.incrementAndGet();
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

  /** What the owner does with its second block, and then. */
  private enum Then {
    /** Its job is over. */
    CANCELS,
    /** It does not fit. */
    HANDS_BACK,
    /**
     * The device has recovered from what grounded it, and its owner ends with a block in flight.
     */
    RESUMES
  }

  /** Where the owner's second block goes. */
  private enum Second {
    /** Into a launch of its own. */
    ALONE,
    /** Into that of the first. */
    BESIDE,
    /** It was to go there, and does not fit. */
    DOES_NOT_FIT
  }

  /** The owner launches two blocks and lands one, while another thread grounds the device. */
  private static void run(Second second, Then then) {
    Rows rows = new Rows();
    LoadEntry load = new LoadEntry("fake:0", 2);
    Flights flights = new Flights(load);
    DevicePart part = new DevicePart(null, rows, 0, true);
    Thread watcher =
        new Thread(
            () -> {
              flights.ground(5, "it broke");
              flights.leave(rows, 0);
            });
    watcher.start();
    int claimed =
        second == Second.ALONE
            ? claim(flights, part) + claim(flights, part)
            : claimTwo(flights, part, second);
    int published = 0;
    int cancelled = 0;
    Flights.Block oldest = flights.oldest();
    Flights.Landed landed = oldest == null ? null : flights.commit(oldest, 1, 3);
    if (landed != null) {
      published++;
      load.endBlock(1, landed.headNanos(), landed.endNanos(), false, null);
    }
    oldest = flights.oldest();
    if (then != Then.RESUMES && oldest != null) {
      boolean ended = flights.end(oldest, then == Then.HANDS_BACK, 4);
      cancelled += ended && then == Then.CANCELS ? 1 : 0;
    }
    List<Flights.Block> told = new ArrayList<>(flights.takeGrounded());
    if (then == Then.RESUMES) {
      flights.resume();
      claimed += claim(flights, part);
    }
    try {
      watcher.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    flights.endAll(6);
    told.addAll(flights.takeGrounded());
    int ended = published + cancelled + rows.handedBack.get();
    assertEquals(claimed, ended, "each claimed block ends once");
    assertEquals(published, rows.committed.get());
    assertEquals(0, flights.size());
    assertEquals(0, load.snapshot().inFlight(), "each block that begins ends");
    assertEquals(0, claim(flights, part), "it is closed");
    assertEquals(told.size(), Set.copyOf(told).size(), "each is told once");
    assertEquals(0, rows.together.get(), "a dealer's worker is one thread at a time");
  }

  /** 1 if a block was claimed; it is launched then. */
  private static int claim(Flights flights, DevicePart part) {
    Flights.Block block = flights.claim(part, new Claim(), null, 1);
    if (block == null) {
      return 0;
    }
    flights.launched(block, null, 1, 2);
    return 1;
  }

  /** How many were claimed: a block, and another one beside it, which may not fit. */
  private static int claimTwo(Flights flights, DevicePart part, Second second) {
    Flights.Block first = flights.claim(part, new Claim(), null, 1);
    if (first == null) {
      return 0;
    }
    Flights.Block other = flights.claim(part, new Claim(), first, 1);
    boolean fits = other != null && second != Second.DOES_NOT_FIT;
    if (other != null && !fits) {
      flights.end(other, true, 1);
    }
    flights.launched(first, null, 1, 2);
    if (fits) {
      flights.launched(other, null, 1, 2);
    }
    return other == null ? 1 : 2;
  }

  /** A case takes seconds: each way of the second block is in one, and each end. */
  @ParameterizedTest
  @CsvSource({"ALONE, RESUMES", "BESIDE, HANDS_BACK", "DOES_NOT_FIT, CANCELS"})
  void theDeviceIsGroundedWhileItsOwnerWorks(Second second, Then then) {
    run(second, then);
    ModelCheck.run(ORDERS, () -> run(second, then));
  }
}
