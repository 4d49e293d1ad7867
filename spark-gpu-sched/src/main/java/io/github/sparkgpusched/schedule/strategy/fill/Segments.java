package io.github.sparkgpusched.schedule.strategy.fill;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * The rows of a job that are there to be claimed, and whose they are. A device has at most one
 * segment that it claims in, and may have others, which probes have cut off it. Guarded by the
 * dealer's lock.
 */
final class Segments implements Iterable<Segment> {
  /** No row counts as cheaper than this part of the mean row, whatever the hint says. */
  private static final double LEAST_ROW_COST = 1e-6;

  private final RangeCosts costs;
  private final FillUpDevice[] devices;
  private final double jobCost;
  private final double leastRowCost;
  private final List<Segment> segments = new ArrayList<>();

  Segments(RangeCosts costs, long rows, FillUpDevice[] devices) {
    this.costs = costs;
    this.devices = devices;
    this.jobCost = costs.between(0, rows);
    this.leastRowCost = LEAST_ROW_COST * jobCost / Math.max(1, rows);
  }

  /**
   * One segment for each device that is there and not light, by cost in proportion to declared
   * speeds.
   */
  void deal(long rows, int starters) {
    List<FillUpDevice> there = Arrays.asList(devices).subList(0, starters);
    there.forEach(device -> device.present = true);
    double speeds = speedOf(there);
    for (FillUpDevice device : devices) {
      device.share = jobCost * device.speed() / speeds;
      device.fullCost = device.fullRows > 1 ? jobCost / rows * device.fullRows : 0;
    }
    List<FillUpDevice> heavy = there.stream().filter(device -> !device.light).toList();
    List<FillUpDevice> dealt = heavy.isEmpty() ? there : heavy;
    double dealtSpeeds = speedOf(dealt);
    double before = 0;
    long from = 0;
    Border left = Border.unknown(false);
    for (FillUpDevice device : dealt) {
      before += jobCost * device.speed() / dealtSpeeds;
      boolean last = device == dealt.get(dealt.size() - 1);
      long until = last || from >= rows ? rows : Math.max(from, costs.reach(0, rows, before));
      if (until > from) {
        Border right = Border.unknown(!last);
        add(new Segment(from, until, cost(from, until), left, right, device.index, null), device);
        left = right;
        from = until;
      }
    }
  }

  private static double speedOf(List<FillUpDevice> devices) {
    return devices.stream().mapToDouble(FillUpDevice::speed).sum();
  }

  /** Cost of all rows. */
  double jobCost() {
    return jobCost;
  }

  /** Cost of rows; above 0, so that ratios to it are numbers. */
  double cost(long from, long until) {
    return Math.max(costs.between(from, until), leastRowCost * (until - from));
  }

  /** The row of a segment at which so much of its cost lies to the left. */
  long reach(Segment segment, double cost) {
    return costs.reach(segment.from, segment.until, cost);
  }

  boolean isEmpty() {
    return segments.isEmpty();
  }

  @Override
  public Iterator<Segment> iterator() {
    return segments.iterator();
  }

  /** Adds rows that nobody owns. */
  void add(Segment segment) {
    segments.add(segment);
  }

  /** Adds rows that a device claims in from now on. */
  void add(Segment segment, FillUpDevice owner) {
    segments.add(segment);
    own(segment, owner);
  }

  /** A device claims in a segment from now on, and its owner so far does not. */
  void own(Segment segment, FillUpDevice owner) {
    disown(segment);
    segment.owner = owner.index;
    owner.own = segment;
  }

  private void disown(Segment segment) {
    if (segment.owner != Segment.NOBODY && devices[segment.owner].own == segment) {
      devices[segment.owner].own = null;
    }
    segment.owner = Segment.NOBODY;
  }

  /** Takes the rows of a device that leaves from it. */
  void leave(FillUpDevice device) {
    device.own = null;
    for (Segment segment : segments) {
      if (segment.owner == device.index) {
        segment.owner = Segment.NOBODY;
      }
    }
  }

  /** Rows of a block that was opened again are committed: they are not there any more. */
  void removeOf(Flight root, long from, long until) {
    for (Segment segment : List.copyOf(segments)) {
      if (segment.reopened != root || segment.until <= from || until <= segment.from) {
        continue;
      }
      if (from <= segment.from) {
        take(segment, true, Math.min(until, segment.until));
        continue;
      }
      if (until < segment.until) {
        add(cutOff(segment, until, Border.unknown(false)));
      }
      take(segment, false, from);
    }
  }

  /** Cuts a segment's far part off, from a row inside on. The part is not there to be claimed. */
  Segment cutOff(Segment segment, long cut, Border border) {
    Segment far =
        new Segment(
            cut,
            segment.until,
            cost(cut, segment.until),
            border,
            segment.right,
            segment.origin,
            segment.reopened);
    segment.right = border;
    segment.until = cut;
    segment.cost = cost(segment.from, cut);
    return far;
  }

  /**
   * Where a block that is taken from a segment's end is to be cut off.
   *
   * @param cost of the block, about; it has at least a row
   */
  long cutAtEnd(Segment segment, boolean front, double cost) {
    if (cost >= segment.cost) {
      return front ? segment.until : segment.from;
    }
    if (front) {
      return Math.max(segment.from + 1, reach(segment, cost));
    }
    return Math.min(segment.until - 1, reach(segment, segment.cost - cost));
  }

  /** Takes rows before a cut, or from it on, out of a segment. */
  void take(Segment segment, boolean front, long cut) {
    if (front) {
      segment.from = cut;
    } else {
      segment.until = cut;
    }
    if (segment.rows() == 0) {
      segments.remove(segment);
      disown(segment);
    } else {
      segment.cost = cost(segment.from, segment.until);
    }
  }

  /** Of what probes have cut off a device's rows the part with most work; null if there is none. */
  Segment heaviestOf(FillUpDevice device, Densities densities) {
    Segment heaviest = null;
    for (Segment segment : segments) {
      if (segment.owner == device.index
          && (heaviest == null || densities.work(segment) > densities.work(heaviest))) {
        heaviest = segment;
      }
    }
    return heaviest;
  }

  long rowsOf(int owner) {
    long sum = 0;
    for (Segment segment : segments) {
      sum += segment.owner == owner ? segment.rows() : 0;
    }
    return sum;
  }

  long rows() {
    long sum = 0;
    for (Segment segment : segments) {
      sum += segment.rows();
    }
    return sum;
  }

  double cost() {
    double sum = 0;
    for (Segment segment : segments) {
      sum += segment.cost;
    }
    return sum;
  }
}
