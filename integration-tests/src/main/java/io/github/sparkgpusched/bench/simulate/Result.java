package io.github.sparkgpusched.bench.simulate;

import java.util.Locale;

/** What became of a case: an outcome, or why there is none. */
record Result(Case of, Simulation.Outcome outcome, String failure) {
  static final String CSV_HEADER =
      "n,devices,profile,launchCost,depth,strategy,workload,ratio,claims,steals,idleShare,"
          + "duplicatedShare\n";

  /** Makespan over the lower bound; infinite if the run did not end. */
  double ratio() {
    return outcome == null ? Double.POSITIVE_INFINITY : outcome.ratio();
  }

  String csvLine() {
    String head =
        String.format(
            Locale.ROOT,
            "%d,%d,%s,%s,%d,%s,%s,",
            of.rows(),
            of.machine().devices,
            of.profile(),
            number(of.launch()),
            of.machine().depth,
            of.contender().name(),
            of.shape().name());
    return outcome == null
        ? head + "Infinity,,,,\n"
        : head
            + String.format(
                Locale.ROOT,
                "%.5f,%d,%d,%.5f,%.5f%n",
                outcome.ratio(),
                outcome.claims(),
                outcome.steals(),
                outcome.idleShare(),
                outcome.duplicatedShare());
  }

  /** Without decimals where there are none. */
  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }
}
