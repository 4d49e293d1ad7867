package io.github.sparkgpusched.load;

import java.util.Objects;
import java.util.function.Function;

/**
 * A figure of the load table. {@link DeviceMeasures} and {@link UdfMeasures} have all of them; SQL
 * columns, Dropwizard metrics, the tab's columns, sums over devices, and the tables of
 * docs/monitoring.md are made of these, so that a measure is added in one place. Immutable.
 *
 * <p>Made by {@link #counter}, {@link #level} and {@link #orNull}. The texts are by position, name,
 * heading, description: a name in another's place fails {@code MeasuresTest}, and any text {@code
 * MonitoringDocTest}.
 *
 * @param <T> what it is a figure of
 * @param name its name in SQL, Python and metrics; names of times and sizes end in their unit
 * @param title its heading in the tab
 * @param unit what it is counted in under that name
 * @param growsOnly true of a counter, whose sum over devices means something; false of a level that
 *     rises and falls
 * @param nullable true if not every kind of device has it
 * @param description what it is, for people
 * @param getter gives the figure as it is kept, times in nanoseconds; null if it is not measured
 */
public record Measure<T>(
    String name,
    String title,
    Unit unit,
    boolean growsOnly,
    boolean nullable,
    String description,
    Function<T, Long> getter) {

  public Measure {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(getter, "getter");
  }

  /** A figure whose sum over devices means something; every kind of device has it. */
  static <T> Measure<T> counter(
      String name, String title, Unit unit, String description, Function<T, Long> getter) {
    return new Measure<>(name, title, unit, true, false, description, getter);
  }

  /** A figure that rises and falls; every kind of device has it. */
  static <T> Measure<T> level(
      String name, String title, Unit unit, String description, Function<T, Long> getter) {
    return new Measure<>(name, title, unit, false, false, description, getter);
  }

  /** The same, but that not every kind of device has it. */
  Measure<T> orNull() {
    return new Measure<>(name, title, unit, growsOnly, true, description, getter);
  }

  /** The figure as it is kept, times in nanoseconds; null if it is not measured. */
  public Long kept(T of) {
    return getter.apply(of);
  }

  /** The figure in its {@link #unit}; null if it is not measured. */
  public Long told(T of) {
    Long kept = getter.apply(of);
    return kept == null ? null : (Long) unit.told(kept);
  }

  /** The name of the figure as it is kept: in JSON, times are in nanoseconds. */
  public String keptName() {
    return unit == Unit.MILLIS ? name.replaceFirst("Millis$", "Nanos") : name;
  }

  /** The same figure of something else that has this. */
  public <S> Measure<S> of(Function<S, T> part) {
    return new Measure<>(name, title, unit, growsOnly, nullable, description, part.andThen(getter));
  }
}
