package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.util.function.Consumer;

/**
 * What the scheduler of a {@link Simulation} knows beforehand, and who looks after it. Not changed
 * once it is made: each change gives a copy.
 */
final class SimulationOptions {
  static final SimulationOptions DEFAULT = new SimulationOptions();

  private boolean knownSpeeds;
  private boolean knownLatency = true;
  private RangeCosts costs = RangeCosts.UNIFORM;
  private double costError = 1;
  private boolean mayRunTwice = true;
  private double targetRows = 20;
  private boolean watchdog;
  private double nanosPerCost;
  private boolean handsBack;

  private SimulationOptions() {}

  private SimulationOptions with(Consumer<SimulationOptions> change) {
    SimulationOptions copy = new SimulationOptions();
    copy.knownSpeeds = knownSpeeds;
    copy.knownLatency = knownLatency;
    copy.costs = costs;
    copy.costError = costError;
    copy.mayRunTwice = mayRunTwice;
    copy.targetRows = targetRows;
    copy.watchdog = watchdog;
    copy.nanosPerCost = nanosPerCost;
    copy.handsBack = handsBack;
    change.accept(copy);
    return copy;
  }

  boolean knownSpeeds() {
    return knownSpeeds;
  }

  SimulationOptions withSpeeds() {
    return with(copy -> copy.knownSpeeds = true);
  }

  /** Whether the scheduler has seen what a block of few rows takes. */
  boolean knownLatency() {
    return knownLatency;
  }

  SimulationOptions withoutLatency() {
    return with(copy -> copy.knownLatency = false);
  }

  RangeCosts costs() {
    return costs;
  }

  double costError() {
    return costError;
  }

  double nanosPerCost() {
    return nanosPerCost;
  }

  /**
   * What an earlier run of the same query has taught: speeds, costs, and the time they stand for.
   */
  SimulationOptions remembering(RangeCosts known, double error) {
    return withSpeeds().knowing(known, error, Simulation.NANOS);
  }

  /** The same, but for speeds, of costs in nanoseconds on a device of speed 1. */
  SimulationOptions recalling(RangeCosts known, double error) {
    return knowing(known, error, 1);
  }

  private SimulationOptions knowing(RangeCosts known, double error, double nanos) {
    return with(
        copy -> {
          copy.costs = known;
          copy.costError = error;
          copy.nanosPerCost = nanos;
        });
  }

  boolean mayRunTwice() {
    return mayRunTwice;
  }

  SimulationOptions nothingTwice() {
    return with(copy -> copy.mayRunTwice = false);
  }

  /** Time that a block is to take on a device without launch cost, in mean rows. */
  double targetRows() {
    return targetRows;
  }

  SimulationOptions withTargetRows(double target) {
    return with(copy -> copy.targetRows = target);
  }

  /**
   * Whether a device that stops for good is declared lost when its block has taken four times as
   * long as it would have, and four times as long as the mean block. That is kinder than a real
   * one, which would have to guess how long the block takes.
   */
  boolean watchdog() {
    return watchdog;
  }

  SimulationOptions withWatchdog() {
    return with(copy -> copy.watchdog = true);
  }

  /** Whether workers hand back the rest of blocks that take far too long. */
  boolean handsBack() {
    return handsBack;
  }

  SimulationOptions handingBack() {
    return with(copy -> copy.handsBack = true);
  }
}
