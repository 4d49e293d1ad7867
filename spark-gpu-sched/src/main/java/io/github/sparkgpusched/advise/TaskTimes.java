package io.github.sparkgpusched.advise;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** What the tasks of a stage took: numbers side by side, as there may be millions. */
final class TaskTimes {
  /** Rates of tasks with fewer rows say nothing. */
  private static final long LEAST_ROWS = 100;

  private int count;
  private long[] launches = new long[8];
  private float[] seconds = new float[8];
  private float[] most = new float[8];
  private float[] others = new float[8];
  private long[] rows = new long[8];
  private double runSeconds;
  private double scanSeconds;
  private double processorSeconds;

  void add(TaskFacts task) {
    if (count == launches.length) {
      int more = count * 2;
      launches = Arrays.copyOf(launches, more);
      seconds = Arrays.copyOf(seconds, more);
      most = Arrays.copyOf(most, more);
      others = Arrays.copyOf(others, more);
      rows = Arrays.copyOf(rows, more);
    }
    launches[count] = task.launchMillis();
    seconds[count] = (float) task.seconds();
    most[count] = (float) task.mostFunctionSeconds();
    others[count] = (float) task.plausibleOtherSeconds();
    rows[count] = task.rows();
    runSeconds += task.runSeconds();
    scanSeconds += task.scanSeconds();
    processorSeconds += task.processorSeconds();
    count++;
  }

  int count() {
    return count;
  }

  double runSeconds() {
    return runSeconds;
  }

  double scanSeconds() {
    return scanSeconds;
  }

  double processorSeconds() {
    return processorSeconds;
  }

  long rows() {
    return Arrays.stream(rows, 0, count).sum();
  }

  /** Tasks in the order in which they were started. */
  int[] inOrder() {
    return IntStream.range(0, count)
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> launches[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  double seconds(int i) {
    return seconds[i];
  }

  long rows(int i) {
    return rows[i];
  }

  /** All tasks' times, the shortest first. */
  double[] sorted() {
    double[] sorted = new double[count];
    for (int i = 0; i < count; i++) {
      sorted[i] = seconds[i];
    }
    Arrays.sort(sorted);
    return sorted;
  }

  /**
   * What functions took at least and at most in each task.
   *
   * <p>At most it is what no metric has for something else. At least, it is what is left of that if
   * everything else was as slow as is plausible; or what a task took more than the fastest one took
   * for as many rows: as rows of a stage are read and passed on alike, that is the function's.
   */
  double[][] functionSeconds() {
    double fastest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      if (rows[i] >= LEAST_ROWS) {
        fastest = Math.min(fastest, most[i] / (double) rows[i]);
      }
    }
    double[][] both = new double[2][count];
    for (int i = 0; i < count; i++) {
      double bySlowOthers = most[i] - others[i];
      double byFastest = fastest < Double.POSITIVE_INFINITY ? most[i] - rows[i] * fastest : 0;
      both[0][i] = Math.max(0, Math.max(bySlowOthers, byFastest));
      both[1][i] = most[i];
    }
    return both;
  }
}
