package io.github.sparkgpusched.bench.cpu;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/**
 * The JDK's pool with tasks that split in halves: down to n / 4W rows, or down to few rows while
 * there are not enough tasks for others to steal.
 */
record ForkJoinWay(String name, ForkJoinPool pool, boolean bySurplus) implements Way {
  private static final int LEAST_ROWS = 16;

  /** What the JDK's documentation calls a small value, 3 for example. */
  private static final int ENOUGH_SURPLUS = 3;

  @Override
  public long run(Kernel kernel) {
    int most = bySurplus ? LEAST_ROWS : Math.max(1, kernel.rows() / (4 * pool.getParallelism()));
    return pool.invoke(new Part(kernel, 0, kernel.rows(), most, bySurplus));
  }

  private static final class Part extends RecursiveTask<Long> {
    private static final long serialVersionUID = 1L;
    private final transient Kernel kernel;
    private final int from;
    private final int until;
    private final int mostRows;
    private final boolean bySurplus;

    Part(Kernel kernel, int from, int until, int mostRows, boolean bySurplus) {
      this.kernel = kernel;
      this.from = from;
      this.until = until;
      this.mostRows = mostRows;
      this.bySurplus = bySurplus;
    }

    @Override
    protected Long compute() {
      boolean small = until - from <= mostRows;
      if (small || (bySurplus && getSurplusQueuedTaskCount() > ENOUGH_SURPLUS)) {
        return kernel.run(from, until);
      }
      int middle = (from + until) >>> 1;
      Part left = new Part(kernel, from, middle, mostRows, bySurplus);
      Part right = new Part(kernel, middle, until, mostRows, bySurplus);
      right.fork();
      return left.compute() + right.join();
    }
  }
}
