package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.Transfers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The measures of a device, in the order of the columns of {@code gpusched_load()}. */
public final class DeviceMeasures {
  private static final List<Measure<DeviceLoad>> TABLE = new ArrayList<>();

  public static final Measure<DeviceLoad> QUEUE_DEPTH =
      level(
          "queueDepth",
          "Queue",
          Unit.ROWS,
          "Rows dealt to the device and not begun",
          DeviceLoad::queueDepth);
  public static final Measure<DeviceLoad> CAPACITY =
      level(
          "capacity",
          "Capacity",
          Unit.BLOCKS,
          "Blocks that the device holds at once; of a GPU launches",
          d -> (long) d.capacity());
  public static final Measure<DeviceLoad> IN_FLIGHT =
      level(
          "inFlight",
          "In flight",
          Unit.BLOCKS,
          "Blocks computed now; on a GPU several may be of one launch",
          d -> (long) d.inFlight());
  public static final Measure<DeviceLoad> ROWS =
      counter("rows", "Rows", Unit.ROWS, "Rows computed", DeviceLoad::rows);
  public static final Measure<DeviceLoad> BLOCKS =
      counter("blocks", "Blocks", Unit.BLOCKS, "Blocks computed", DeviceLoad::blocks);
  public static final Measure<DeviceLoad> STEAL_REQUESTS =
      counter(
          "stealRequests",
          "Steals tried",
          Unit.TIMES,
          "Times that the device looked for rows of another",
          DeviceLoad::stealRequests);
  public static final Measure<DeviceLoad> STEALS =
      counter(
          "steals",
          "Steals",
          Unit.TIMES,
          "Times that the device got rows of another, of the times that it looked for some",
          DeviceLoad::steals);
  public static final Measure<DeviceLoad> FAILURES =
      counter(
          "failures",
          "Failures",
          Unit.BLOCKS,
          "Blocks that ended in an error",
          DeviceLoad::failures);
  public static final Measure<DeviceLoad> BUSY =
      counter(
          "busyMillis", "Busy time", Unit.MILLIS, "Time computing blocks", DeviceLoad::busyNanos);
  public static final Measure<DeviceLoad> IDLE =
      counter(
          "idleMillis", "Idle time", Unit.MILLIS, "Time without a block", DeviceLoad::idleNanos);
  public static final Measure<DeviceLoad> STALLED =
      add(
          Measure.<DeviceLoad>counter(
                  "stalledMillis",
                  "Stalled",
                  Unit.MILLIS,
                  "Time that blocks in flight waited for transfers or memory",
                  DeviceLoad::stalledNanos)
              .orNull());
  public static final Measure<DeviceLoad> OFFERS =
      add(
          Measure.<DeviceLoad>counter(
                  "offers",
                  "Offers",
                  Unit.TIMES,
                  "Times that a part of the device gave rows to another unasked",
                  DeviceLoad::offers)
              .orNull());
  public static final Measure<DeviceLoad> FREE_MEMORY =
      add(
          Measure.<DeviceLoad>level(
                  "freeBytes",
                  "Free memory",
                  Unit.BYTES,
                  "Free memory of the device's own",
                  DeviceLoad::freeBytes)
              .orNull());
  public static final Measure<DeviceLoad> USED_MEMORY =
      add(
          Measure.<DeviceLoad>level(
                  "usedBytes",
                  "Memory",
                  Unit.BYTES,
                  "Memory in use, of the device's own",
                  DeviceLoad::usedBytes)
              .orNull());
  public static final Measure<DeviceLoad> TO_DEVICE =
      copied(
          "toDeviceBytes",
          "Copied in",
          Unit.BYTES,
          "Copied to the device",
          Transfers::toDeviceBytes);
  public static final Measure<DeviceLoad> FROM_DEVICE =
      copied(
          "fromDeviceBytes",
          "Copied out",
          Unit.BYTES,
          "Copied from the device",
          Transfers::fromDeviceBytes);
  public static final Measure<DeviceLoad> TRANSFER =
      copied(
          "transferMillis",
          "Copying",
          Unit.MILLIS,
          "Time of those copies; the device may compute meanwhile",
          Transfers::nanos);

  public static final Measure<DeviceLoad> BORROWED_ROWS =
      add(
          Measure.<DeviceLoad>counter(
                  "borrowedRows",
                  "Borrowed",
                  Unit.ROWS,
                  "Rows computed on a core of another executor",
                  d -> d.borrowed() ? d.rows() : null)
              .orNull());
  public static final Measure<DeviceLoad> LENT_ROWS =
      add(
          Measure.<DeviceLoad>counter(
                  "lentRows",
                  "Lent",
                  Unit.ROWS,
                  "Rows of other executors computed, which those count",
                  DeviceLoad::lentRows)
              .orNull());
  public static final Measure<DeviceLoad> LENT =
      add(
          Measure.<DeviceLoad>counter(
                  "lentMillis",
                  "Lent time",
                  Unit.MILLIS,
                  "Time computing rows of other executors, a part of the busy time",
                  DeviceLoad::lentNanos)
              .orNull());

  /** All of them. */
  public static final List<Measure<DeviceLoad>> ALL = List.copyOf(TABLE);

  private DeviceMeasures() {}

  private static Measure<DeviceLoad> level(
      String name, String title, Unit unit, String description, Function<DeviceLoad, Long> getter) {
    return add(Measure.level(name, title, unit, description, getter));
  }

  private static Measure<DeviceLoad> counter(
      String name, String title, Unit unit, String description, Function<DeviceLoad, Long> getter) {
    return add(Measure.counter(name, title, unit, description, getter));
  }

  private static Measure<DeviceLoad> copied(
      String name, String title, Unit unit, String description, Function<Transfers, Long> getter) {
    Function<DeviceLoad, Long> known =
        d -> d.transfers() == null ? null : getter.apply(d.transfers());
    return add(Measure.counter(name, title, unit, description, known).orNull());
  }

  private static Measure<DeviceLoad> add(Measure<DeviceLoad> measure) {
    TABLE.add(measure);
    return measure;
  }
}
