package io.github.sparkgpusched.load;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.github.sparkgpusched.api.DeviceLoad;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sums over devices, of each {@linkplain Measure#growsOnly counter} of {@link DeviceMeasures}. Rows
 * on a borrowed core are its borrower's; its time is the lender's, and in the sums once. Immutable.
 *
 * @param sums by the {@linkplain Measure#keptName() name} of the measure, times in nanoseconds;
 *     without those that no device measures
 */
public record Totals(@JsonValue Map<String, Long> sums) {
  /** Not of a borrowed core: a core of the lender is busy or idle for that time. */
  private static final Set<Measure<DeviceLoad>> OF_OWNER =
      Set.of(DeviceMeasures.BUSY, DeviceMeasures.IDLE);

  private static final List<Measure<DeviceLoad>> COUNTERS =
      DeviceMeasures.ALL.stream().filter(Measure::growsOnly).toList();

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Totals {
    sums = Collections.unmodifiableMap(new LinkedHashMap<>(sums));
  }

  /** The sum of a measure as it is kept; null if no device measures it. */
  public Long of(Measure<DeviceLoad> measure) {
    return sums.get(measure.keptName());
  }

  /** The sum of a measure in its unit; null if no device measures it. */
  public Long told(Measure<DeviceLoad> measure) {
    Long sum = of(measure);
    return sum == null ? null : (Long) measure.unit().told(sum);
  }

  /** The sum of a measure that every device has. */
  private long sum(Measure<DeviceLoad> measure) {
    Long sum = of(measure);
    return sum == null ? 0 : sum;
  }

  /** Rows computed. */
  public long rows() {
    return sum(DeviceMeasures.ROWS);
  }

  /** Blocks computed. */
  public long blocks() {
    return sum(DeviceMeasures.BLOCKS);
  }

  /** Times that devices looked for rows of another. */
  public long stealRequests() {
    return sum(DeviceMeasures.STEAL_REQUESTS);
  }

  /** Times that they got some. */
  public long steals() {
    return sum(DeviceMeasures.STEALS);
  }

  /** Blocks that ended in an error. */
  public long failures() {
    return sum(DeviceMeasures.FAILURES);
  }

  /** Time spent computing, in nanoseconds. */
  public long busyNanos() {
    return sum(DeviceMeasures.BUSY);
  }

  /** A sum that grows by a device at a time. Not thread-safe. */
  static final class Sum {
    private final long[] sums = new long[COUNTERS.size()];
    private final boolean[] measured = new boolean[COUNTERS.size()];

    Sum() {
      for (int i = 0; i < measured.length; i++) {
        measured[i] = !COUNTERS.get(i).nullable();
      }
    }

    Sum(Sum other) {
      System.arraycopy(other.sums, 0, sums, 0, sums.length);
      System.arraycopy(other.measured, 0, measured, 0, sums.length);
    }

    void add(DeviceLoad device) {
      for (int i = 0; i < sums.length; i++) {
        Measure<DeviceLoad> measure = COUNTERS.get(i);
        Long more = measure.kept(device);
        if (more != null && !(device.borrowed() && OF_OWNER.contains(measure))) {
          sums[i] += more;
          measured[i] = true;
        }
      }
    }

    Totals totals() {
      Map<String, Long> byName = new LinkedHashMap<>();
      for (int i = 0; i < sums.length; i++) {
        if (measured[i]) {
          byName.put(COUNTERS.get(i).keptName(), sums[i]);
        }
      }
      return new Totals(byName);
    }
  }
}
