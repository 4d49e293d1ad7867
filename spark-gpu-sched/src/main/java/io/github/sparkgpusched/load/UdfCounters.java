package io.github.sparkgpusched.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counts what an executor's devices compute of one UDF. Any threads add and read; lock-free. */
final class UdfCounters {
  private static final int MAX = BlockTimes.BUCKETS;

  private final String udf;
  private final LongAdder rows = new LongAdder();
  private final LongAdder stolenBlocks = new LongAdder();
  private final LongAdder busyNanos = new LongAdder();

  /** Blocks by bucket of time, and after them the longest time. Only grow. */
  private final AtomicLongArray times = new AtomicLongArray(BlockTimes.BUCKETS + 1);

  UdfCounters(String udf) {
    this.udf = udf;
  }

  void add(long blockRows, long nanos, boolean stolen) {
    rows.add(blockRows);
    busyNanos.add(nanos);
    if (stolen) {
      stolenBlocks.increment();
    }
    times.getAndIncrement(BlockTimes.bucket(nanos));
    long max = times.get(MAX);
    while (nanos > max && !times.compareAndSet(MAX, max, nanos)) {
      max = times.get(MAX);
    }
  }

  /** The counts now; each is exact, and they are read one after the other. */
  UdfLoad snapshot() {
    int length = BlockTimes.BUCKETS;
    while (length > 0 && times.get(length - 1) == 0) {
      length--;
    }
    List<Long> counts = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      counts.add(times.get(i));
    }
    BlockTimes blockTimes = new BlockTimes(counts, times.get(MAX));
    return new UdfLoad(
        udf, rows.sum(), blockTimes.count(), stolenBlocks.sum(), busyNanos.sum(), blockTimes);
  }
}
