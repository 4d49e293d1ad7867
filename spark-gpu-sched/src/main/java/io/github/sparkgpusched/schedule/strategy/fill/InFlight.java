package io.github.sparkgpusched.schedule.strategy.fill;

import io.github.sparkgpusched.schedule.strategy.Claim;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The blocks of a job that are neither committed nor handed back: how they are taken out of
 * segments, who publishes which of their rows, and where those go that are handed back. Guarded by
 * the dealer's lock.
 */
final class InFlight implements Iterable<Flight> {
  private final Segments segments;

  /** In the order of their claims. */
  private final List<Flight> flights = new ArrayList<>();

  private long committedRows;

  InFlight(Segments segments) {
    this.segments = segments;
  }

  boolean isEmpty() {
    return flights.isEmpty();
  }

  /** The block that was claimed first. There must be one. */
  Flight oldest() {
    return flights.get(0);
  }

  @Override
  public Iterator<Flight> iterator() {
    return flights.iterator();
  }

  /** Rows that somebody publishes, or has published. */
  long committedRows() {
    return committedRows;
  }

  /**
   * False if the rows are in flight elsewhere, and the device would write its results beside the
   * other's.
   */
  boolean mayTake(FillUpDevice device, Segment segment) {
    if (device.staged || segment.reopened == null) {
      return true;
    }
    for (Flight flight : flights) {
      if (flight.root == segment.reopened
          && flight.from < segment.until
          && segment.from < flight.until) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes a block out of a segment's end and claims it for a device.
   *
   * @param cost of the block, about
   * @param density expected there; 0 while nothing is known
   * @return true
   */
  boolean take(
      FillUpDevice device,
      Segment segment,
      boolean front,
      double cost,
      double density,
      Claim claim,
      double nowNanos) {
    long cut = segments.cutAtEnd(segment, front, cost);
    long from = front ? segment.from : cut;
    long until = front ? cut : segment.until;
    segments.take(segment, front, cut);
    double taken = segments.cost(from, until);
    Flight flight = new Flight(device, from, until, taken, taken * density, segment, front);
    flight.readyNanos = nowNanos + device.launchNanos + device.transferNanosPerRow * (until - from);
    device.flights.add(flight);
    device.blocks++;
    flights.add(flight);
    claim.setFlight(flight);
    claim.setForeign(segment.origin != device.index);
    return claim.take(from, until, source(segment, claim));
  }

  private static Claim.Source source(Segment segment, Claim claim) {
    if (segment.reopened != null) {
      return Claim.Source.REOPENED;
    }
    return claim.stealsTried() > 0 ? Claim.Source.STOLEN : Claim.Source.OWN;
  }

  /** Takes a claim's block out of the air; null if it is not in flight any more. */
  Flight land(Claim claim, double nowNanos) {
    Flight flight = (Flight) claim.flight();
    if (flight == null) {
      return null;
    }
    claim.setFlight(null);
    flights.remove(flight);
    FillUpDevice device = flight.device;
    device.flights.remove(flight);
    if (!device.flights.isEmpty()) {
      Flight next = device.flights.get(0);
      next.readyNanos = Math.max(next.readyNanos, nowNanos);
    }
    return flight;
  }

  /** Has the worker of a block publish those of its rows, up to one, that nobody else has. */
  void publish(Flight flight, long reached, Claim claim) {
    boolean alone = flight.root == flight && !flight.reopened;
    if (alone) {
      won(claim, flight.from, reached);
    } else {
      flight.root.committed.add(
          flight.from,
          reached,
          (from, until) -> {
            won(claim, from, until);
            segments.removeOf(flight.root, from, until);
          });
    }
  }

  private void won(Claim claim, long from, long until) {
    claim.won(from, until);
    committedRows += until - from;
  }

  /**
   * Makes the rows of a block from one on claimable again, but for what others have committed of
   * them. Those of a block that was opened again are in other hands already.
   */
  void putBack(Flight flight, long from) {
    if (flight.reopened) {
      return;
    }
    Flight root = flight.root;
    root.committed.gaps(
        from,
        flight.until,
        (start, end) -> segments.add(segmentOf(flight, start, end, root == flight ? null : root)));
  }

  /** Opens the rows of a block that nobody has committed for a device, too; there are some. */
  void reopen(Flight flight, FillUpDevice device) {
    flight.reopened = true;
    flight.root.committed.gaps(
        flight.from,
        flight.until,
        (start, end) -> segments.add(segmentOf(flight, start, end, flight.root), device));
  }

  private Segment segmentOf(Flight flight, long from, long until, Flight reopened) {
    return new Segment(
        from,
        until,
        segments.cost(from, until),
        flight.guess(),
        flight.guess(),
        flight.segment.origin,
        reopened);
  }
}
