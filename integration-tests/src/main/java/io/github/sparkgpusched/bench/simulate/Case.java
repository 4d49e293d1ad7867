package io.github.sparkgpusched.bench.simulate;

/**
 * One run to simulate.
 *
 * @param profile what the table calls the machine
 * @param launch launch cost in mean rows, as the table says it
 */
record Case(
    Workload.Shape shape,
    int rows,
    Machine machine,
    String profile,
    double launch,
    Contender contender,
    Simulation.ClaimCosts claimCosts,
    SimulationOptions options) {
  private static final long SEED = 7;

  /**
   * A machine of a profile with what its claims cost: as measured on threads, nothing where a
   * launch costs far more. Strategies that run nothing twice have a watchdog.
   */
  static Case of(
      Workload.Shape shape,
      int rows,
      int devices,
      Machine.Profile profile,
      double launch,
      int depth,
      Contender contender) {
    Machine machine = Machine.of(devices, profile, launch, 0, depth, rows, SEED);
    return new Case(
        shape,
        rows,
        machine,
        profile.label(),
        launch,
        contender,
        launch == 0 ? Simulation.ClaimCosts.HOST : Simulation.ClaimCosts.NONE,
        options(contender, launch));
  }

  private static SimulationOptions options(Contender contender, double launch) {
    SimulationOptions options = SimulationOptions.DEFAULT;
    if (launch == 0 || !contender.isAdaptive()) { // the tree of threads runs nothing twice
      options = options.withWatchdog();
    }
    return launch == 0 && contender.isTimed() ? options.handingBack() : options;
  }

  Case with(SimulationOptions newOptions) {
    return new Case(shape, rows, machine, profile, launch, contender, claimCosts, newOptions);
  }

  Case with(Contender newContender) {
    return new Case(shape, rows, machine, profile, launch, newContender, claimCosts, options);
  }

  Case with(Simulation.ClaimCosts newCosts) {
    return new Case(shape, rows, machine, profile, launch, contender, newCosts, options);
  }

  Case on(Machine newMachine, String newProfile) {
    return new Case(shape, rows, newMachine, newProfile, launch, contender, claimCosts, options);
  }

  @Override
  public String toString() {
    return String.format(
        "%s, %s of %d rows, P = %d %s, h = %.0f, depth %d",
        contender.name(), shape.name(), rows, machine.devices, profile, launch, machine.depth);
  }
}
