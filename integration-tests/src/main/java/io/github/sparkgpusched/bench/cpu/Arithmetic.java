package io.github.sparkgpusched.bench.cpu;

import io.github.sparkgpusched.bench.simulate.Workload;
import java.util.Arrays;

/**
 * Rows whose costs are those of a workload, each so many steps of a calculation that starts from
 * the row's number and needs no memory.
 */
final class Arithmetic implements Kernel {
  private static final long FACTOR = 6_364_136_223_846_793_005L;
  private static final long ADDEND = 1_442_695_040_888_963_407L;
  private static final int CALIBRATION_STEPS = 20_000_000;
  private static final long WORKLOAD_SEED = 1;

  /** Of each row. */
  private final int[] steps;

  private Arithmetic(int[] steps) {
    this.steps = steps;
  }

  /** Rows of a workload's shape that take so many steps in all, and at least one each. */
  static Arithmetic of(Workload.Shape shape, int rows, double totalSteps) {
    Workload work = Workload.of(shape, rows, WORKLOAD_SEED);
    int[] steps = new int[rows];
    for (int row = 0; row < rows; row++) {
      steps[row] = (int) Math.max(1, Math.round(work.between(row, row + 1) * totalSteps / rows));
    }
    return new Arithmetic(steps);
  }

  /** Steps that this machine makes in a nanosecond. */
  static double stepsPerNano() {
    double best = 0;
    Arithmetic one = new Arithmetic(new int[] {CALIBRATION_STEPS});
    long sum = 0;
    for (int i = 0; i < 5; i++) {
      long start = System.nanoTime();
      sum += one.row(0);
      best = Math.max(best, (double) CALIBRATION_STEPS / (System.nanoTime() - start));
    }
    return sum == 0 ? Double.NaN : best;
  }

  @Override
  public int rows() {
    return steps.length;
  }

  @Override
  public long row(int row) {
    long x = row;
    for (int step = steps[row]; step > 0; step--) {
      x = x * FACTOR + ADDEND;
    }
    return x;
  }

  @Override
  public long run(int from, int until) {
    long sum = 0;
    for (int row = from; row < until; row++) {
      sum += row(row);
    }
    return sum;
  }

  /**
   * What the best division of whole rows among workers can come to, over an equal share: above 1 if
   * rows are few. The largest row first, each to the worker with least.
   */
  double reachable(int workers) {
    int[] sorted = steps.clone();
    Arrays.sort(sorted);
    long[] load = new long[workers];
    long total = 0;
    for (int i = sorted.length - 1; i >= 0; i--) {
      int least = 0;
      for (int w = 1; w < workers; w++) {
        least = load[w] < load[least] ? w : least;
      }
      load[least] += sorted[i];
      total += sorted[i];
    }
    long most = Arrays.stream(load).max().orElse(0);
    return (double) most * workers / total;
  }
}
