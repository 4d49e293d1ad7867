package io.github.sparkgpusched.schedule.strategy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Deals for tests. */
public final class Deals {
  public static final long TARGET_NANOS = 20_000;

  private Deals() {}

  /** Threads, all there from the start. */
  public static Deal hosts(long rows, int workers) {
    return hosts(rows, workers, workers, RangeCosts.UNIFORM);
  }

  public static Deal hosts(long rows, int workers, int starters, RangeCosts costs) {
    List<WorkerSpec> specs = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      specs.add(WorkerSpec.host());
    }
    return Deal.builder(rows, specs)
        .starters(starters)
        .costs(costs)
        .targetNanos(TARGET_NANOS)
        .build();
  }

  /** Workers of random speeds and depths. */
  public static Deal random(long rows, RangeCosts costs, Random random) {
    return random(rows, costs, 6, TARGET_NANOS, random);
  }

  /** Workers of random speeds and depths, not more than so many. */
  public static Deal random(
      long rows, RangeCosts costs, int maxWorkers, long targetNanos, Random random) {
    List<WorkerSpec> specs = new ArrayList<>();
    int workers = 1 + random.nextInt(maxWorkers);
    for (int i = 0; i < workers; i++) {
      double speed = random.nextBoolean() ? 1 : Math.pow(random.nextDouble() + 1e-3, -2);
      specs.add(WorkerSpec.staged(speed, 0, 0, 1 + random.nextInt(3)));
    }
    int starters = 1 + random.nextInt(workers);
    return Deal.builder(rows, specs)
        .starters(starters)
        .costs(costs)
        .targetNanos(targetNanos)
        .build();
  }
}
