package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Devices that are at half their rate with 20,000 rows, beside cores. */
final class SaturatingBars {
  private static final int ROWS_OF_HALF_RATE = 20_000;

  private final Runner runner;
  private final Bars bars;
  private final PrintStream out;

  SaturatingBars(Runner runner, Bars bars, PrintStream out) {
    this.runner = runner;
    this.bars = bars;
    this.out = out;
  }

  void all() {
    out.println("\n### Devices that want many rows\n");
    out.println(
        "| 16 CPUs and 4 GPUs | of a new function | latency known | costs remembered, too |");
    out.println("| --- | ---: | ---: | ---: |");
    for (int depth : new int[] {1, 2}) {
      Machine machine = Machine.saturating(16, 0.1, 4, 32, 100, 2 * ROWS_OF_HALF_RATE, depth);
      List<Case> known =
          OtherBars.onEach(Contender.adaptive(), machine, SimulationOptions::withSpeeds);
      List<Case> unknown = new ArrayList<>();
      List<Case> again = new ArrayList<>();
      for (Case c : known) {
        unknown.add(c.with(c.options().withoutLatency()));
        RangeCosts costs =
            runner.workload(c.shape(), Grid.ROWS).remembered(OtherBars.PROFILE_RANGES);
        again.add(c.with(c.options().remembering(costs, 0.1)));
      }
      Results remembered = runner.run(again);
      out.printf(
          "| depth %d | %s | %s | %s |%n",
          depth, runner.run(unknown).cell(), runner.run(known).cell(), remembered.cell());
      bars.atMost(
          "16 CPUs and 4 GPUs at half their rate with 20,000 rows, costs remembered, depth "
              + depth,
          remembered.mean(),
          1.10,
          "worst " + Results.number(remembered.worst()));
    }
  }
}
