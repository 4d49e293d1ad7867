package io.github.sparkgpusched.bench.simulate;

import java.util.List;

/**
 * What a decision of {@code adaptive} really takes, on this machine: its calls are timed while a
 * job is simulated, on one thread.
 */
final class DecisionCost {
  /** To turn measured time into mean rows, a launch is assumed to take so long: h mean rows. */
  static final double LAUNCH_NANOS = 20_000;

  private static final List<String> SHAPES = List.of("uniform", "step-last", "pareto");
  private static final int REPETITIONS = 20;

  private DecisionCost() {}

  /**
   * Mean time of a decision in nanoseconds: of each workload the least of a few runs' means, since
   * whatever else the machine does can only add to it; then the mean of workloads.
   */
  static double nanos(Runner runner, int rows, int devices, double launch, int depth) {
    double sum = 0;
    for (String shape : SHAPES) {
      double least = Double.POSITIVE_INFINITY;
      for (int i = 0; i < REPETITIONS; i++) {
        least = Math.min(least, once(runner, Workload.shape(shape), rows, devices, launch, depth));
      }
      sum += least;
    }
    return sum / SHAPES.size();
  }

  private static double once(
      Runner runner, Workload.Shape shape, int rows, int devices, double launch, int depth) {
    TimedDealer[] timed = new TimedDealer[1];
    Contender adaptive = Contender.adaptive();
    Contender measured =
        new Contender(
            adaptive.name(), deal -> timed[0] = new TimedDealer(adaptive.strategy().deal(deal)));
    runner.run(Case.of(shape, rows, devices, Machine.Profile.RANDOM, launch, depth, measured));
    return timed[0].nanosPerDecision();
  }

  /** A time in mean rows, if a launch takes {@link #LAUNCH_NANOS}. */
  static double rows(double nanos, double launch) {
    return nanos * launch / LAUNCH_NANOS;
  }
}
