package io.github.sparkgpusched.bench.simulate;

import io.github.sparkgpusched.bench.rivals.Rivals;
import io.github.sparkgpusched.schedule.strategy.CostProfile;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is measured beside the grid: each of these has a bar of its own. */
final class OtherBars {
  private static final int ROWS = Grid.ROWS;

  /** As executors keep. */
  static final int PROFILE_RANGES = 2048;

  /** The paper's plot, and one row of it. */
  private static final List<String> PLOT_SHAPES =
      List.of("paper-step2", "paper-step3", "paper-uniform", "paper-exp", "paper-triangle");

  private static final int PLOT_DEVICES = 8;

  /** Times are rounded. */
  private static final double IDEAL_ERROR = 0.001;

  private final Runner runner;
  private final Bars bars;
  private final PrintStream out;

  /** Speed-up by workload, then by strategy. */
  private final Map<String, Map<String, Double>> speedups = new LinkedHashMap<>();

  OtherBars(Runner runner, Bars bars, PrintStream out) {
    this.runner = runner;
    this.bars = bars;
    this.out = out;
  }

  Map<String, Map<String, Double>> speedups() {
    return speedups;
  }

  /** All of them; the results on threads are for the CSV file. */
  Results all(Results grid) {
    Results threads = threads();
    mixedNode();
    new SaturatingBars(runner, bars, out).all();
    transfers();
    rememberedProfile();
    runsAgain();
    nothingTwice();
    narrow();
    decisions(grid);
    plot();
    return threads;
  }

  private Results threads() {
    List<Contender> contenders =
        new ArrayList<>(Contender.of(Contender.ADAPTIVE, Rivals.PAPER_TREE, "tree"));
    contenders.add(Contender.fixed("fixed-1", 1));
    contenders.add(Contender.fixed("fixed-256", 256));
    List<Case> cases = new ArrayList<>();
    for (int devices : new int[] {64, 512}) {
      for (Contender contender : contenders) {
        for (Workload.Shape shape : Workload.GENERIC) {
          cases.add(Case.of(shape, ROWS, devices, Machine.Profile.EQUAL, 0, 1, contender));
        }
      }
    }
    Results results = runner.run(cases);
    for (int devices : new int[] {64, 512}) {
      Results at = results.where(c -> c.machine().devices == devices);
      StringBuilder beside = new StringBuilder();
      for (Contender contender : contenders.subList(1, contenders.size())) {
        beside.append(contender.name()).append(' ');
        beside.append(at.of(contender.name()).cell()).append("; ");
      }
      Results ours = at.of(Contender.ADAPTIVE);
      bars.atMost(
          "threads, h = 0, P = " + devices,
          ours.mean(),
          devices == 64 ? 1.03 : 1.23,
          "worst " + Results.number(ours.worst()) + "; " + beside);
    }
    return results;
  }

  private void mixedNode() {
    for (int depth : new int[] {1, 2}) {
      Machine machine = Machine.mixed(8, 0.1, 2, 32, 100, depth);
      compare(
          "8 CPUs and 2 GPUs, depth " + depth,
          1.08,
          contender -> onEach(contender, machine, SimulationOptions::withSpeeds));
    }
  }

  private void transfers() {
    Machine machine = Machine.of(8, Machine.Profile.EQUAL, 100, 0.5, 2, ROWS, 7);
    compare(
        "transfers of half a mean cost, P = 8, h = 100, depth 2",
        1.17,
        contender -> onEach(contender, machine, options -> options));
  }

  private void rememberedProfile() {
    for (Machine.Profile[] profiles :
        List.of(new Machine.Profile[] {Machine.Profile.EQUAL}, Machine.Profile.values())) {
      List<Case> cases = new ArrayList<>();
      for (Workload.Shape shape : Workload.GENERIC) {
        RangeCosts costs = runner.workload(shape, ROWS).remembered(PROFILE_RANGES);
        for (Machine.Profile profile : profiles) {
          Case c = Case.of(shape, ROWS, 64, profile, 100, 2, Contender.adaptive());
          cases.add(c.with(c.options().remembering(costs, 0.1)));
        }
      }
      Results results = runner.run(cases);
      bars.atMost(
          "remembered costs, P = 64, h = 100, depth 2, "
              + (profiles.length == 1 ? "equal speeds" : "all profiles"),
          results.mean(),
          1.02,
          "worst " + Results.number(results.worst()));
    }
  }

  /** As executors do it: costs as the runs before have measured them, and speeds unknown again. */
  private void runsAgain() {
    out.println("\n### The same query again\n");
    out.println("| h = 100, depth 2 | first run | second | third | fourth |");
    out.println("| --- | ---: | ---: | ---: | ---: |");
    for (int devices : new int[] {2, 8, 64}) {
      List<Case> cases = new ArrayList<>();
      for (Workload.Shape shape : Workload.GENERIC) {
        for (Machine.Profile profile : Machine.Profile.values()) {
          cases.add(Case.of(shape, ROWS, devices, profile, 100, 2, Contender.adaptive()));
        }
      }
      CostProfile[] known = new CostProfile[cases.size()];
      StringBuilder line = new StringBuilder("| P = " + devices + " |");
      for (int run = 1; run <= 4; run++) {
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < known.length; i++) {
          RangeCosts prior = run == 1 ? RangeCosts.UNIFORM : known[i].costs();
          CostProfile profile = new CostProfile(ROWS, prior);
          results.add(runner.run(profiled(cases.get(i), known[i], profile)));
          known[i] = profile;
        }
        line.append(' ').append(new Results(results).cell()).append(" |");
      }
      out.println(line);
    }
  }

  /** A case that measures what its rows take, and uses what is known of them, if not null. */
  private static Case profiled(Case c, CostProfile known, CostProfile profile) {
    Contender measured =
        new Contender(
            Contender.ADAPTIVE,
            deal -> new ProfilingDealer(Contender.adaptive().strategy().deal(deal), profile));
    Case again = c.with(measured);
    return known == null ? again : again.with(c.options().recalling(known.costs(), known.error()));
  }

  private void nothingTwice() {
    List<Case> cases = new ArrayList<>();
    for (Workload.Shape shape : Workload.GENERIC) {
      for (Machine.Profile profile : Machine.Profile.values()) {
        if (profile != Machine.Profile.HANG) {
          Case c = Case.of(shape, ROWS, 64, profile, 100, 2, Contender.adaptive());
          cases.add(c.with(c.options().nothingTwice()));
        }
      }
    }
    Results results = runner.run(cases);
    bars.atMost(
        "nothing runs twice, none hangs, P = 64, h = 100, depth 2",
        results.mean(),
        1.08,
        "worst " + Results.number(results.worst()));
  }

  /** Where predictions fail: no bar, but a table. */
  private void narrow() {
    out.println("\n### Narrow heavy places\n");
    out.println("| strategy | P = 2 | P = 8 | P = 64 |");
    out.println("| --- | ---: | ---: | ---: |");
    List<Contender> contenders =
        new ArrayList<>(
            Contender.of(Contender.ADAPTIVE, Rivals.PAPER_TREE, "worksteal-deque", "guided"));
    contenders.add(Contender.fixed("fixed-256", 256));
    for (Contender contender : contenders) {
      StringBuilder line = new StringBuilder("| " + contender.name() + " |");
      for (int devices : new int[] {2, 8, 64}) {
        List<Case> cases = new ArrayList<>();
        for (Workload.Shape shape : Workload.NARROW) {
          for (Machine.Profile profile : Machine.Profile.values()) {
            cases.add(Case.of(shape, ROWS, devices, profile, 100, 2, contender));
          }
        }
        line.append(' ').append(runner.run(cases).cell()).append(" |");
      }
      out.println(line);
    }
  }

  /** Cells of the grid again, with each decision charged as measured. */
  private void decisions(Results grid) {
    Results devices = grid.of(Contender.ADAPTIVE).where(c -> c.launch() >= 10);
    out.printf(
        Locale.ROOT,
        "%n## Decisions%n%nTime of one decision on this machine; charged as if a launch took %.0f"
            + " us, one decision at a time%n%n"
            + "| h, depth, P | ns | mean rows | mean / worst with it | without |%n"
            + "| --- | ---: | ---: | ---: | ---: |%n",
        DecisionCost.LAUNCH_NANOS / 1000);
    for (double launch : new double[] {10, 100}) {
      for (int depth : new int[] {1, 2}) {
        for (int count : new int[] {2, 8, 64}) {
          Results without =
              devices.where(
                  c ->
                      c.launch() == launch
                          && c.machine().depth == depth
                          && c.machine().devices == count);
          decision(without, launch, depth, count);
        }
      }
    }
  }

  private void decision(Results without, double launch, int depth, int devices) {
    double nanos = DecisionCost.nanos(runner, ROWS, devices, launch, depth);
    double rows = DecisionCost.rows(nanos, launch);
    Results with =
        runner.run(
            without.list().stream()
                .map(r -> r.of().with(new Simulation.ClaimCosts(0, 0, 0, rows)))
                .toList());
    bars.atMost(
        String.format(
            Locale.ROOT, "decisions charged, h = %.0f, depth %d, P = %d", launch, depth, devices),
        with.mean(),
        Bars.goal(launch, depth, devices),
        "worst " + Results.number(with.worst()));
    out.printf(
        Locale.ROOT,
        "| %.0f, %d, %d | %.0f | %.3f | %s %s | %s |%n",
        launch,
        depth,
        devices,
        nanos,
        rows,
        with.cell(),
        bars.verdict(),
        without.cell());
  }

  /** The paper's plot from our runs: speed-up with eight threads over one that claims nothing. */
  private void plot() {
    List<Contender> contenders = new ArrayList<>(Contender.of("static"));
    contenders.add(Contender.fixed("fixed", 256));
    contenders.addAll(Contender.of("guided", Rivals.PAPER_TREE, Contender.ADAPTIVE));
    out.printf(
        "%n## The paper's plot%n%nSpeed-up with P = %d threads; a claim costs nothing beside such rows%n%n"
            + "| workload |",
        PLOT_DEVICES);
    contenders.forEach(contender -> out.printf(" %s |", contender.name()));
    out.println("\n| --- |" + " ---: |".repeat(contenders.size()));
    for (String name : PLOT_SHAPES) {
      Workload.Shape shape = Workload.shape(name);
      Workload work = plotted(name);
      Map<String, Double> of = new LinkedHashMap<>();
      speedups.put(name, of);
      out.printf("| %s |", name);
      for (Contender contender : contenders) {
        Case c = Case.of(shape, work.rows(), PLOT_DEVICES, Machine.Profile.EQUAL, 0, 1, contender);
        // Each of the paper's rows takes longer than a block is to take, and far longer than a
        // claim.
        Result result =
            runner.run(c.with(c.options().withTargetRows(1)).with(Simulation.ClaimCosts.NONE));
        double speedup = result.outcome() == null ? 0 : work.total() / result.outcome().makespan();
        of.put(contender.name(), speedup);
        out.printf(Locale.ROOT, " %.1f |", speedup);
      }
      out.println();
    }
    plotBars();
  }

  private void plotBars() {
    Map<String, Double> step2 = speedups.get("paper-step2");
    Map<String, Double> step3 = speedups.get("paper-step3");
    if (!step2.containsKey(Rivals.PAPER_TREE)) {
      return;
    }
    double best = Math.max(step2.get("static"), step2.get("fixed"));
    bars.above(
        "step2: tree-paper over static and fixed",
        step2.get(Rivals.PAPER_TREE) / best,
        1,
        "speed-ups");
    bars.above(
        "step3: guided over tree-paper",
        step3.get("guided") / step3.get(Rivals.PAPER_TREE),
        1,
        "speed-ups");
    beats("step2", step2);
    beats("step3", step3);
  }

  /** Ours is to be faster than the two; or ideal, to a thousandth, where one of them is. */
  private void beats(String name, Map<String, Double> of) {
    double best = Math.max(of.get(Rivals.PAPER_TREE), of.get("guided"));
    double ours = of.get(Contender.ADAPTIVE);
    Workload work = plotted("paper-" + name);
    double ideal = work.total() / plotMachine().lowerBound(work);
    if (best < ideal * (1 - IDEAL_ERROR)) {
      bars.above(name + ": adaptive over tree-paper and guided", ours / best, 1, "speed-ups");
    } else {
      bars.atMost(
          name + ": ideal over adaptive", ideal / ours, 1, "speed-ups; a rival is ideal, too");
    }
  }

  private Workload plotted(String name) {
    Workload.Shape shape = Workload.shape(name);
    return runner.workload(shape, (int) Math.min(shape.paperRows(), ROWS));
  }

  private static Machine plotMachine() {
    return Machine.of(PLOT_DEVICES, Machine.Profile.EQUAL, 0, 0, 1, ROWS, 7);
  }

  /** A bar of ours over the generic workloads, with the means of some others beside it. */
  private void compare(String what, double limit, Cases cases) {
    Results ours = runner.run(cases.of(Contender.adaptive()));
    StringBuilder beside = new StringBuilder("worst " + Results.number(ours.worst()));
    for (Contender rival : Contender.of(Rivals.PAPER_TREE, "units")) {
      beside.append("; ").append(rival.name()).append(' ');
      beside.append(Results.number(runner.run(cases.of(rival)).mean()));
    }
    bars.atMost(what, ours.mean(), limit, beside.toString());
  }

  private interface Cases {
    List<Case> of(Contender contender);
  }

  interface Knowing {
    SimulationOptions of(SimulationOptions options);
  }

  /** Each generic workload on a machine. */
  static List<Case> onEach(Contender contender, Machine machine, Knowing knowing) {
    List<Case> cases = new ArrayList<>();
    for (Workload.Shape shape : Workload.GENERIC) {
      Case c =
          Case.of(
              shape, ROWS, machine.devices, Machine.Profile.EQUAL, 100, machine.depth, contender);
      cases.add(c.on(machine, "special").with(knowing.of(c.options())));
    }
    return cases;
  }
}
