package io.github.sparkgpusched.bench.cpu;

/** A loop over rows that do not depend on each other. Safe for use by several threads. */
interface Kernel {
  int rows();

  /** Computes one row. */
  long row(int row);

  /** Sum of rows [from, until): whoever adds it up has computed all of them. */
  long run(int from, int until);
}
