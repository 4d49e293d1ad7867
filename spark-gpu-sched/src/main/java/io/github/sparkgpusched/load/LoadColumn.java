package io.github.sparkgpusched.load;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A column of a table function, {@code gpusched_load()} or {@code gpusched_queries()}. Immutable.
 *
 * @param name the column's name
 * @param type of its values: String, Long or Double
 * @param unit what it is counted in; null if in nothing
 * @param nullable true if it is null where that is not known
 * @param description what it is
 * @param value of a row, or null
 * @param <T> what a row is of
 */
public record LoadColumn<T>(
    String name,
    Class<?> type,
    Unit unit,
    boolean nullable,
    String description,
    Function<T, Object> value) {

  /** Those of devices: whose figures, {@link DeviceMeasures#ALL}, and how old they are. */
  public static final List<LoadColumn<LoadView.Device>> OF_DEVICES =
      Stream.of(
              Stream.of(
                  LoadColumn.<LoadView.Device>text(
                      "executorId", "Spark's id of the executor", LoadView.Device::executorId),
                  LoadColumn.<LoadView.Device>text(
                      "device",
                      "Kind and number of the device, such as `host:0`",
                      d -> d.load().device()),
                  LoadColumn.<LoadView.Device>text(
                      "state",
                      "`active`, `quarantined`, or `ended` with its executor",
                      LoadView.Device::state)),
              measures(DeviceMeasures.ALL, LoadView.Device::load),
              Stream.of(
                  LoadColumn.<LoadView.Device>count(
                      "ageMillis",
                      Unit.MILLIS,
                      "Age of these figures; a device without work does not report",
                      LoadView.Device::ageMillis)))
          .flatMap(columns -> columns)
          .toList();

  /** Those of queries. */
  public static final List<LoadColumn<QueryLoad>> OF_QUERIES =
      Stream.of(
              Stream.of(
                  LoadColumn.<QueryLoad>count(
                      "id", null, "Spark's id of the SQL execution", QueryLoad::id),
                  LoadColumn.<QueryLoad>text(
                      "description",
                      "The user's, or else where it was called",
                      QueryLoad::description),
                  LoadColumn.<QueryLoad>text(
                      "user",
                      "Who asks for it, and how the id of a Spark Connect session begins",
                      QueryLoad::user),
                  LoadColumn.<QueryLoad>text(
                      "state", "`running`, `completed` or `failed`", QueryLoad::state),
                  LoadColumn.<QueryLoad>text(
                          "failure", "Why it failed, in one line", QueryLoad::failure)
                      .orNull(),
                  LoadColumn.<QueryLoad>text(
                      "udfs",
                      "What it computes in batches, or where its rows are",
                      q -> String.join(", ", q.udfs())),
                  LoadColumn.<QueryLoad>text(
                      "stages",
                      "Its stages with rows to compute, `id.attempt`",
                      q -> String.join(", ", q.stages()))),
              measures(WorkMeasures.ALL, QueryLoad::work),
              Stream.of(
                  LoadColumn.<QueryLoad>count(
                          "rowsPerSecond",
                          Unit.ROWS,
                          "Rows a second, of the last ten; null if it has ended",
                          QueryLoad::rowsPerSecond)
                      .orNull(),
                  LoadColumn.<QueryLoad>count(
                          "leftMillis",
                          Unit.MILLIS,
                          "How long its running stages will run on, if they go on as they did",
                          QueryLoad::leftMillis)
                      .orNull(),
                  LoadColumn.<QueryLoad>count(
                      "wastedRows",
                      Unit.ROWS,
                      "Rows of its task attempts that failed or were killed",
                      QueryLoad::wastedRows),
                  LoadColumn.<QueryLoad>count(
                      "tasks",
                      Unit.TIMES,
                      "Successful tasks that had rows computed",
                      QueryLoad::tasks),
                  LoadColumn.<QueryLoad>count(
                      "allTasks", Unit.TIMES, "All tasks of these stages", QueryLoad::allTasks),
                  new LoadColumn<QueryLoad>(
                      "skew",
                      Double.class,
                      null,
                      true,
                      "The longest time that devices computed for a task over that of the median"
                          + " task; null with fewer than four tasks",
                      QueryLoad::skew)))
          .flatMap(columns -> columns)
          .toList();

  private static <T> LoadColumn<T> text(
      String name, String description, Function<T, Object> value) {
    return new LoadColumn<>(name, String.class, null, false, description, value);
  }

  private static <T> LoadColumn<T> count(
      String name, Unit unit, String description, Function<T, Object> value) {
    return new LoadColumn<>(name, Long.class, unit, false, description, value);
  }

  private static <T, P> Stream<LoadColumn<T>> measures(
      List<Measure<P>> measures, Function<T, P> part) {
    return measures.stream()
        .map(
            m ->
                new LoadColumn<T>(
                    m.name(),
                    Long.class,
                    m.unit(),
                    m.nullable(),
                    m.description(),
                    row -> m.told(part.apply(row))));
  }

  private LoadColumn<T> orNull() {
    return new LoadColumn<>(name, type, unit, true, description, value);
  }
}
