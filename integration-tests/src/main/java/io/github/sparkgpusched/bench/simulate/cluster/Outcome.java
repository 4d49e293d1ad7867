package io.github.sparkgpusched.bench.simulate.cluster;

/**
 * What one run took.
 *
 * @param makespan of the stage, in nanoseconds
 * @param ratio makespan over the bound
 * @param moved rows that were computed on borrowed cores
 * @param rows all
 * @param messages that the driver got
 * @param peak the same in the second in which most came
 * @param questionNanos what the matchmaker really took for a question
 * @param bytes that executors sent each other
 * @param cores that were borrowed, each time counted
 */
record Outcome(
    double makespan,
    double ratio,
    long moved,
    double rows,
    long messages,
    long peak,
    double questionNanos,
    long bytes,
    long cores) {
  /** Messages a second, over the stage. */
  double meanMessages() {
    return messages / (makespan / 1e9);
  }
}
