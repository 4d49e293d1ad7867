package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Stages, by how their rows lie in partitions. */
final class Skew {
  private Skew() {}

  /**
   * A partition for each core, some of which have a part of all rows between them.
   *
   * @param boundNanos what all cores take for all rows
   */
  static List<Partition> heavy(Setting setting, double boundNanos, int heavy, double part) {
    int count = setting.executors * setting.cores;
    double rows = boundNanos * count / setting.rowNanos;
    Random random = new Random(setting.seed);
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(i);
    }
    Collections.shuffle(places, random);
    boolean[] isHeavy = new boolean[count];
    places.subList(0, heavy).forEach(i -> isHeavy[i] = true);
    List<Partition> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double share = isHeavy[i] ? part / heavy : (1 - part) / (count - heavy);
      double some = isHeavy[i] ? 1 : 0.8 + 0.4 * random.nextDouble();
      all.add(new Partition(i, Math.max(1, Math.round(rows * share * some)), isHeavy[i]));
    }
    return all;
  }

  /** Partitions that are about equal, so many for each core. */
  static List<Partition> even(Setting setting, double boundNanos, int perCore) {
    int count = setting.executors * setting.cores * perCore;
    double rows = boundNanos * setting.executors * setting.cores / setting.rowNanos;
    Random random = new Random(setting.seed);
    List<Partition> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double some = 0.9 + 0.2 * random.nextDouble();
      all.add(new Partition(i, Math.max(1, Math.round(rows / count * some)), false));
    }
    return all;
  }
}
