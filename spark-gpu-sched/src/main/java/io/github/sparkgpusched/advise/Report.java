package io.github.sparkgpusched.advise;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * What the advisor says. Its components are the names of the JSON; times are in seconds.
 *
 * @param format of the JSON: a component is added without a new number, and never changed
 * @param notes of logs that are left out
 */
record Report(int format, List<Application> applications, List<String> notes) {
  static final int FORMAT = 1;

  /**
   * One log's application.
   *
   * @param processorSeconds of all tasks in the JVM; less than taskSeconds if they waited
   * @param functionSeconds of all tasks, what functions took
   * @param saved of the application's time
   * @param savedWithin the part that cores of the same executor save
   * @param replayError the replay of plain Spark against the log, of what was replayed: 0.1 is a
   *     tenth too long
   */
  record Application(
      String log,
      String name,
      String id,
      String sparkVersion,
      double seconds,
      boolean isComplete,
      int executors,
      int cores,
      long tasks,
      double taskSeconds,
      double processorSeconds,
      Range functionSeconds,
      Range saved,
      Range savedWithin,
      double replayError,
      Verdict verdict,
      List<Query> queries,
      List<Stage> stages,
      List<NotBatched> notBatched,
      List<String> notes) {}

  /** A query with functions. */
  record Query(
      long id,
      String description,
      double seconds,
      Range saved,
      Range savedWithin,
      Verdict verdict) {}

  /**
   * A stage with functions.
   *
   * @param medianSeconds of its tasks
   * @param processorSeconds of its tasks in the JVM; less than taskSeconds if they waited
   * @param skew the longest task over the median
   * @param savedWithin of the stage's time, were it alone
   */
  record Stage(
      int id,
      int attempt,
      String name,
      long query,
      List<String> functions,
      int tasks,
      long rows,
      double seconds,
      double medianSeconds,
      double longestSeconds,
      double skew,
      double taskSeconds,
      double processorSeconds,
      double scanSeconds,
      Range functionSeconds,
      Range saved,
      Range savedWithin,
      boolean needsRewrite,
      @JsonIgnore Picture picture) {}

  /** A function that is not shared, and why. */
  record NotBatched(
      String function, String kind, String operator, String why, List<Long> queries) {}

  /**
   * What is drawn of a stage.
   *
   * @param taskSeconds of its tasks, or of some of them, the shortest first
   * @param plain mean cores at work in intervals of equal length, as the log's tasks are replayed
   * @param shared likewise with rows shared
   */
  record Picture(
      List<Double> taskSeconds, List<Double> plain, List<Double> shared, double lengthSeconds) {}
}
