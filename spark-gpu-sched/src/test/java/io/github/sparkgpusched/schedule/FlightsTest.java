package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.schedule.strategy.Claim;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlightsTest {
  private final LoadEntry load = new LoadEntry("fake:0", 2);
  private final Flights flights = new Flights(load);
  private final Dealer dealer =
      Strategies.byName("fixed", new Strategies.Options(10))
          .deal(
              Deal.builder(100, List.of(WorkerSpec.staged(1, 1000, 0, 3)))
                  .starters(1)
                  .targetNanos(1000)
                  .build());
  private final DevicePart part = new DevicePart(null, dealer, 0, true);

  private Flights.Block claim(long now) {
    return flights.claim(part, new Claim(), null, now);
  }

  private Flights.Block launched(long now) {
    Flights.Block block = claim(now);
    assertTrue(flights.launched(block, null, block.claim.until(), now));
    return block;
  }

  /** Whatever sign the clock has. */
  @ParameterizedTest
  @ValueSource(longs = {0, 5000, -5000, Long.MAX_VALUE - 100})
  void timesOfBlocksInFlightDoNotOverlap(long start) {
    Flights.Block first = launched(start + 10);
    Flights.Block second = launched(start + 20);
    assertEquals(30, flights.nanosAtHead(first, start + 40));
    assertEquals(0, flights.nanosAtHead(second, start + 40), "it waits for the first");
    Flights.Landed landed = flights.commit(first, -1, start + 110);
    assertEquals(new Flights.Landed(start + 10, start + 110, 100, false, false), landed);
    assertEquals(
        new Flights.Landed(start + 110, start + 150, 40, false, false),
        flights.commit(second, -1, start + 150));
  }

  /**
   * Two are done at once, and none is alone; what waits behind them begins when both have ended.
   */
  @Test
  void blocksOfOneLaunchShareItsTimeByTheirRows() {
    Flights.Block first = claim(0);
    Flights.Block second = flights.claim(part, new Claim(), first, 1);
    Flights.Block none = flights.claim(part, new Claim(), first, 2);
    assertEquals(1, flights.launches());
    assertTrue(flights.end(none, true, 3), "it does not fit");
    flights.launched(first, null, first.claim.from() + 9, 10);
    flights.launched(second, null, second.claim.from() + 3, 10);
    Flights.Block behind = launched(20);
    assertEquals(2, flights.launches());
    assertEquals(3, flights.size());
    assertEquals(new Flights.Landed(10, 100, 90, false, true), flights.commit(first, -1, 130));
    assertEquals(2, flights.launches(), "the other one is still to be published");
    assertEquals(new Flights.Landed(100, 130, 30, false, true), flights.commit(second, -1, 140));
    assertEquals(1, flights.launches());
    assertEquals(new Flights.Landed(140, 200, 60, false, false), flights.commit(behind, -1, 200));
  }

  /** The device was busy for the launch's 90, and each block has its part. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void timesOfALaunchAreTheSameWhicheverBlockIsNotPublished(boolean firstIsNot) {
    Flights.Block first = claim(0);
    Flights.Block second = flights.claim(part, new Claim(), first, 1);
    flights.launched(first, null, first.claim.from() + 6, 10);
    flights.launched(second, null, second.claim.from() + 3, 10);
    if (firstIsNot) {
      assertTrue(flights.end(first, false, 100));
      assertEquals(60, load.snapshot().busyNanos());
      assertEquals(new Flights.Landed(70, 100, 30, false, true), flights.commit(second, -1, 120));
    } else {
      assertEquals(new Flights.Landed(10, 70, 60, false, true), flights.commit(first, -1, 100));
      assertTrue(flights.end(second, false, 120));
      assertEquals(30, load.snapshot().busyNanos());
    }
  }

  /** Nothing was beside it after all, though it is not known to have been alone. */
  @Test
  void aBlockWhoseCompanionDidNotFitHasTheWholeTime() {
    Flights.Block first = claim(0);
    Flights.Block other = flights.claim(part, new Claim(), first, 1);
    assertTrue(flights.end(other, true, 2));
    flights.launched(first, null, 10, 10);
    assertEquals(new Flights.Landed(10, 30, 20, false, false), flights.commit(first, -1, 30));
  }

  @Test
  void theEndOfAYoungerBlockChangesNothingOfTheOldest() {
    Flights.Block first = launched(10);
    for (boolean handBack : new boolean[] {true, false}) {
      Flights.Block second = claim(20);
      assertTrue(flights.end(second, handBack, 90));
    }
    assertEquals(80, flights.nanosAtHead(first, 90), "its time-out goes on");
    assertEquals(100, flights.commit(first, -1, 110).nanos());
  }

  /** A block whose predecessor ends while it is staged begins with its own launch. */
  @Test
  void timeBeginsWithTheLaunch() {
    Flights.Block first = launched(10);
    Flights.Block second = claim(20);
    flights.commit(first, 5, 30);
    flights.launched(second, null, 15, 60);
    assertEquals(10, flights.commit(second, -1, 70).nanos());
  }

  @Test
  void whatTheDeviceSaysCountsAndElseTheTimeAtTheHead() {
    assertEquals(7, flights.commit(launched(0), 7, 2000).nanos());
    assertEquals(1, flights.commit(launched(0), 0, 2000).nanos());
    // Nothing is taken off for a launch: a job of a resident kernel pays none.
    assertEquals(500, flights.commit(launched(0), -1, 500).nanos());
  }

  @Test
  void aBlockIsAloneIfNoneWasBesideIt() {
    assertTrue(flights.commit(launched(0), 1, 10).alone());
    Flights.Block first = launched(20);
    Flights.Block second = launched(30);
    assertFalse(flights.commit(first, 1, 40).alone());
    assertFalse(flights.commit(second, 1, 50).alone());
  }

  @Test
  void whatIsGroundedIsHandedBackOnceAndClaimedAgainLater() {
    Flights.Block first = launched(0);
    Flights.Block second = claim(1);
    flights.ground(5, "it broke");
    assertEquals(100, dealer.rowsLeft());
    assertEquals(2, load.snapshot().failures());
    assertNull(flights.commit(first, 1, 6), "others have its rows");
    assertFalse(flights.end(first, true, 6));
    assertFalse(flights.launched(second, null, 20, 7));
    assertNull(claim(8));
    assertEquals(List.of(first, second), flights.takeGrounded());
    assertEquals(List.of(), flights.takeGrounded());
    flights.resume();
    while (dealer.rowsCommitted() < 100) {
      flights.commit(launched(9), 1, 10);
    }
    assertEquals(0, flights.size());
  }
}
