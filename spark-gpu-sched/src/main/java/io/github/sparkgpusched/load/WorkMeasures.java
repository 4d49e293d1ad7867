package io.github.sparkgpusched.load;

import java.util.List;

/** The measures of {@link Work}: what UDFs and stages have in common. */
public final class WorkMeasures {
  public static final Measure<Work> ROWS =
      counter("rows", "Rows", Unit.ROWS, "Rows computed", Work::rows);
  public static final Measure<Work> BLOCKS =
      counter("blocks", "Blocks", Unit.BLOCKS, "Blocks computed", Work::blocks);
  public static final Measure<Work> STOLEN_BLOCKS =
      counter(
          "stolenBlocks",
          "Stolen blocks",
          Unit.BLOCKS,
          "Blocks computed by another device than they were first dealt to",
          Work::stolenBlocks);
  public static final Measure<Work> BUSY =
      counter(
          "busyMillis",
          "Time",
          Unit.MILLIS,
          "Time computing, summed over devices",
          Work::busyNanos);

  /** All of them. */
  public static final List<Measure<Work>> ALL = List.of(ROWS, BLOCKS, STOLEN_BLOCKS, BUSY);

  private WorkMeasures() {}

  private static Measure<Work> counter(
      String name,
      String title,
      Unit unit,
      String description,
      java.util.function.Function<Work, Long> getter) {
    return Measure.counter(name, title, unit, description, getter);
  }
}
