package io.github.sparkgpusched.bench.cpu;

/** One addition a row: nothing can hide what dealing rows costs. */
record OneAdd(int rows) implements Kernel {
  @Override
  public long row(int row) {
    return row;
  }

  @Override
  public long run(int from, int until) {
    long sum = 0;
    for (int row = from; row < until; row++) {
      sum += row;
    }
    return sum;
  }
}
