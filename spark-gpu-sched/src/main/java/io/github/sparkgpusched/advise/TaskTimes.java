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
  private float[] caps = new float[8];
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
      caps = Arrays.copyOf(caps, more);
      rows = Arrays.copyOf(rows, more);
    }
    launches[count] = task.launchMillis();
    seconds[count] = (float) task.seconds();
    most[count] = (float) task.mostFunctionSeconds();
    others[count] = (float) task.plausibleOtherSeconds();
    caps[count] = (float) task.leastFunctionCap();
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

  /** When the first was started; what is given if there is none. */
  long firstLaunch(long ifNone) {
    return Arrays.stream(launches, 0, count).min().orElse(ifNone);
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
   * What functions took in each task: at least, most likely, at most.
   *
   * <p>At most it is what no metric has for something else. At least, it is what is left of that if
   * everything else was as slow as is plausible; or what a task took more than the fastest one took
   * for as many rows: as rows of a stage are read and passed on alike, that is the function's. Nor
   * is it more than a processor worked for the task: if it waited for a core, one more is no help.
   */
  double[][] functionSeconds() {
    double fastest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      if (rows[i] >= LEAST_ROWS) {
        fastest = Math.min(fastest, most[i] / (double) rows[i]);
      }
    }
    double[][] all = new double[3][count];
    for (int i = 0; i < count; i++) {
      double bySlowOthers = most[i] - others[i];
      double byFastest = fastest < Double.POSITIVE_INFINITY ? most[i] - rows[i] * fastest : 0;
      double least = Math.max(0, Math.max(bySlowOthers, byFastest));
      all[0][i] = Math.min(caps[i], least);
      all[1][i] = (least + most[i]) / 2;
      all[2][i] = most[i];
    }
    return all;
  }
}
