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
    long begin = Math.max(events.now(), outFree[from.index]);
    outFree[from.index] = begin + takes;
    long pair = (long) from.index * setting.executors + to.index;
    long there = Math.max(begin + wayNanos(), last.getOrDefault(pair, 0L));
    last.put(pair, there);
    events.at(there, () -> arrive(to, takes, arrived));
  }

  /** Its first bit is there. */
  private void arrive(Node to, long takes, Runnable arrived) {
    inFree[to.index] = Math.max(events.now(), inFree[to.index]) + takes;
    events.at(
        inFree[to.index],
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
