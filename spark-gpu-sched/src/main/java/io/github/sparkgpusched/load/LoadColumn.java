package io.github.sparkgpusched.load;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A column of {@code gpusched_load()}, which has a row for each device. Immutable.
 *
 * @param name the column's name
 * @param unit what it is counted in; null if it is text
 * @param nullable true if it is null where a kind of device does not measure it
 * @param description what it is
 * @param value a String, or a Long, or null
 */
public record LoadColumn(
    String name,
    Unit unit,
    boolean nullable,
    String description,
    Function<LoadView.Device, Object> value) {

  /** All of them: whose figures, {@link DeviceMeasures#ALL}, and how old they are. */
  public static final List<LoadColumn> ALL =
      Stream.of(
              Stream.of(
                  text("executorId", "Spark's id of the executor", LoadView.Device::executorId),
                  text(
                      "device",
                      "Kind and number of the device, such as `host:0`",
                      d -> d.load().device()),
                  text(
                      "state",
                      "`active`, `quarantined`, or `ended` with its executor",
                      LoadView.Device::state)),
              DeviceMeasures.ALL.stream()
                  .map(
                      m ->
                          new LoadColumn(
                              m.name(),
                              m.unit(),
                              m.nullable(),
                              m.description(),
                              device -> m.told(device.load()))),
              Stream.of(
                  new LoadColumn(
                      "ageMillis",
                      Unit.MILLIS,
                      false,
                      "Age of these figures; a device without work does not report",
                      LoadView.Device::ageMillis)))
          .flatMap(columns -> columns)
          .toList();

  /** True of text; every other column is of whole numbers. */
  public boolean isText() {
    return unit == null;
  }

  private static LoadColumn text(
      String name, String description, Function<LoadView.Device, Object> value) {
    return new LoadColumn(name, null, false, description, value);
  }
}
