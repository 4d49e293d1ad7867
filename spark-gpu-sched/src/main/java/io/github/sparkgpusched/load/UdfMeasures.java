package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.Transfers;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The measures of a UDF. Rows are counted for attempts that failed, too. */
public final class UdfMeasures {
  public static final Measure<UdfLoad> FAILURES =
      Measure.counter(
          "failures",
          "Failures",
          Unit.TIMES,
          "Blocks that ended in an error, and tasks that did so at a row where it was",
          UdfLoad::failures);

  /** All of them. */
  public static final List<Measure<UdfLoad>> ALL =
      Stream.concat(
              WorkMeasures.ALL.stream().map(measure -> measure.of(UdfLoad::work)),
              Stream.of(
                  Measure.<UdfLoad>counter(
                      "rowsInline",
                      "Rows inline",
                      Unit.ROWS,
                      "Those of the rows that tasks computed where they were: they are in no block",
                      UdfLoad::rowsInline),
                  FAILURES,
                  blockTime(
                      "blockP50Micros",
                      "Block p50",
                      "Half of the blocks took at most this; up to a quarter too large",
                      times -> times.quantileNanos(0.5)),
                  blockTime(
                      "blockP95Micros",
                      "Block p95",
                      "19 of 20 blocks took at most this; up to a quarter too large",
                      times -> times.quantileNanos(0.95)),
                  blockTime(
                      "blockMaxMicros", "Block max", "The longest block", BlockTimes::maxNanos),
                  copied(
                      "toDeviceBytes",
                      "Copied in",
                      Unit.BYTES,
                      "Copied to devices",
                      Transfers::toDeviceBytes),
                  copied(
                      "fromDeviceBytes",
                      "Copied out",
                      Unit.BYTES,
                      "Copied from devices",
                      Transfers::fromDeviceBytes),
                  copied(
                      "transferMillis",
                      "Copying",
                      Unit.MILLIS,
                      "Time of those copies; devices may compute meanwhile",
                      Transfers::nanos)))
          .toList();

  private UdfMeasures() {}

  private static Measure<UdfLoad> blockTime(
      String name, String title, String description, Function<BlockTimes, Long> getter) {
    return Measure.level(name, title, Unit.MICROS, description, udf -> getter.apply(udf.times()));
  }

  private static Measure<UdfLoad> copied(
      String name, String title, Unit unit, String description, Function<Transfers, Long> getter) {
    return Measure.<UdfLoad>counter(
            name,
            title,
            unit,
            description,
            udf -> udf.transfers().equals(Transfers.NONE) ? null : getter.apply(udf.transfers()))
        .orNull();
  }
}
