package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Messages between executors: each has a wire in and a wire out, which all of its messages share.
 */
final class Wires {
  private final Setting setting;
  private final Events events;
  private final SplittableRandom random;
  private final long[] outFree;
  private final long[] inFree;

  /** Messages of one executor to another come in their order. */
  private final Map<Long, Long> last = new HashMap<>();

  long bytes;

  Wires(Setting setting, Events events, SplittableRandom random) {
    this.setting = setting;
    this.events = events;
    this.random = random;
    this.outFree = new long[setting.executors];
    this.inFree = new long[setting.executors];
  }

  /** Half a round trip, and then some. */
  long wayNanos() {
    return Math.round(setting.roundTripNanos / 2.0 * (1 + setting.jitter * random.nextDouble()));
  }

  void send(Node from, Node to, long size, Runnable arrived) {
    bytes += size;
    long takes = Math.round(size / setting.bytesPerSecond * 1e9);
    outFree[from.index] = Math.max(events.now(), outFree[from.index]) + takes;
    long there = outFree[from.index] + wayNanos();
    inFree[to.index] = Math.max(there, inFree[to.index] + takes);
    long pair = (long) from.index * setting.executors + to.index;
    long arrival = Math.max(inFree[to.index], last.getOrDefault(pair, 0L));
    last.put(pair, arrival);
    events.at(
        arrival,
        () -> {
          if (!to.dead) {
            arrived.run();
          }
        });
  }

  /** True if an answer with rows is lost. */
  boolean loses() {
    return setting.lost > 0 && random.nextDouble() < setting.lost;
  }
}
