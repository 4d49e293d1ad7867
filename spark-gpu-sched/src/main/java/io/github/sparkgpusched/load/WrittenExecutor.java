package io.github.sparkgpusched.load;

import java.util.List;

/**
 * What is written down of an executor; {@link ApplicationLoad#restoreExecutor} takes it back.
 * Immutable.
 *
 * @param report the last one, without spans, with its devices by now and all of the waste
 * @param axisStartMillis where the time axis of utilisation begins
 * @param bucketMillis length of its intervals
 * @param utilisation busy time in each interval in percent, by device; without the zeros at the end
 */
public record WrittenExecutor(
    ExecutorLoad report, long axisStartMillis, long bucketMillis, List<List<Integer>> utilisation) {

  /** The same with another report of as many devices. */
  public WrittenExecutor with(ExecutorLoad other) {
    return new WrittenExecutor(other, axisStartMillis, bucketMillis, utilisation);
  }
}
