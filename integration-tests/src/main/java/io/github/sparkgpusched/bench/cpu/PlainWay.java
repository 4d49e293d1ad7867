package io.github.sparkgpusched.bench.cpu;

/**
 * The plain loop over equal parts of the rows, one a worker, dealt by nobody: what threads cost
 * without a scheduler, and how much slower busy cores are together than alone.
 */
record PlainWay(String name, Team team) implements Way {
  @Override
  public long run(Kernel kernel) {
    long rows = kernel.rows();
    int workers = team.workers();
    return team.run(
        worker ->
            kernel.run((int) (rows * worker / workers), (int) (rows * (worker + 1) / workers)));
  }
}
