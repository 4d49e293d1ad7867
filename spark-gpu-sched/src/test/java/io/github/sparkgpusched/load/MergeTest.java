package io.github.sparkgpusched.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.Transfers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is merged may be merged in any order and grouping. */
class MergeTest {
  private static final int CASES = 2000;

  private final Random random = new Random(42);

  private <T> void isAssociativeAndCommutative(
      Supplier<T> make, BinaryOperator<T> plus, T neutral) {
    for (int i = 0; i < CASES; i++) {
      T a = make.get();
      T b = make.get();
      T c = make.get();
      assertEquals(plus.apply(plus.apply(a, b), c), plus.apply(a, plus.apply(b, c)));
      assertEquals(plus.apply(a, b), plus.apply(b, a));
      assertEquals(a, plus.apply(a, neutral));
      assertEquals(a, plus.apply(neutral, a));
    }
  }

  private long count() {
    return random.nextInt(4) == 0 ? 0 : random.nextLong(1L << 40);
  }

  private BlockTimes times() {
    int length = random.nextInt(BlockTimes.BUCKETS);
    List<Long> counts =
        new ArrayList<>(LongStream.generate(this::count).limit(length).boxed().toList());
    if (length > 0) {
      counts.set(length - 1, 1 + random.nextLong(100)); // as snapshots have it
    }
    return new BlockTimes(counts, count());
  }

  @Test
  void blockTimes() {
    isAssociativeAndCommutative(this::times, BlockTimes::plus, BlockTimes.NONE);
  }

  @Test
  void waste() {
    isAssociativeAndCommutative(
        () -> new Waste(count(), count(), count()), Waste::plus, Waste.NONE);
  }

  private Transfers transfers() {
    return new Transfers(count(), count(), count());
  }

  @Test
  void udfs() {
    isAssociativeAndCommutative(
        () ->
            new UdfLoad(
                "f",
                new Work(count(), count(), count(), count()),
                times(),
                transfers(),
                count(),
                count()),
        UdfLoad::plus,
        UdfLoad.none("f"));
  }

  private Work work() {
    return new Work(count(), count(), count(), count());
  }

  @Test
  void workDone() {
    isAssociativeAndCommutative(this::work, Work::plus, Work.NONE);
    Work a = work();
    Work b = work();
    assertEquals(a, a.plus(b).minus(b));
  }

  /** Sums are of whoever measures something; what nobody measures has none. */
  @Test
  void totals() {
    DeviceLoad host = Reports.device("host:0", 100, 5);
    DeviceLoad other =
        host.toBuilder().rows(7).stalledNanos(3L).transfers(new Transfers(1, 2, 4)).build();
    Totals.Sum sum = new Totals.Sum();
    sum.add(host);
    assertEquals(100, sum.totals().rows());
    assertNull(sum.totals().of(DeviceMeasures.STALLED));
    Totals.Sum copy = new Totals.Sum(sum);
    copy.add(other);
    copy.add(other);
    assertEquals(114, copy.totals().rows());
    assertEquals(6, copy.totals().of(DeviceMeasures.STALLED));
    assertEquals(4, copy.totals().of(DeviceMeasures.FROM_DEVICE));
    assertEquals(15, copy.totals().told(DeviceMeasures.BUSY));
    assertNull(copy.totals().of(DeviceMeasures.USED_MEMORY), "a level has no sum");
    assertEquals(100, sum.totals().rows());
  }

  @Test
  void aTimeIsInTheBucketBelowItsBound() {
    long below = 0;
    for (int bucket = 0; bucket < BlockTimes.BUCKETS - 1; bucket++) {
      long bound = BlockTimes.bound(bucket);
      assertEquals(bucket, BlockTimes.bucket(below));
      assertEquals(bucket, BlockTimes.bucket(bound - 1));
      assertEquals(bucket + 1, BlockTimes.bucket(bound));
      below = bound;
    }
    assertEquals(BlockTimes.BUCKETS - 1, BlockTimes.bucket(Long.MAX_VALUE));
    assertEquals(0, BlockTimes.bucket(-5), "a clock that went back");
  }

  @Test
  void aQuantileIsAtMostAQuarterTooLargeAndNeverTooSmall() {
    WorkCounts counters = new WorkCounts();
    long[] all = random.longs(10_001, 1, 1_000_000_000).sorted().toArray();
    for (long nanos : all) {
      counters.add(1, nanos, false);
    }
    BlockTimes times = counters.load("f").times();
    for (double part : new double[] {0, 0.5, 0.95, 0.99, 1}) {
      long exact = all[(int) Math.max(0, Math.ceil(all.length * part) - 1)];
      long told = times.quantileNanos(part);
      assertTrue(told >= exact && told <= exact * 1.25 + 1, part + ": " + told + " for " + exact);
    }
    assertEquals(all[all.length - 1], times.maxNanos());
    assertEquals(all[all.length - 1], times.quantileNanos(1));
    assertEquals(0, BlockTimes.NONE.quantileNanos(0.5));
  }
}
