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
          "Blocks that the device holds at once",
          d -> (long) d.capacity());
  public static final Measure<DeviceLoad> IN_FLIGHT =
      level(
          "inFlight",
          "In flight",
          Unit.BLOCKS,
          "Blocks computed now, of those that the device holds at once",
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
          "stalledMillis",
          "Stalled",
          Unit.MILLIS,
          true,
          true,
          "Time that blocks in flight waited for transfers or memory",
          DeviceLoad::stalledNanos);
  public static final Measure<DeviceLoad> OFFERS =
      add(
          "offers",
          "Offers",
          Unit.TIMES,
          true,
          true,
          "Times that a part of the device gave rows to another unasked",
          DeviceLoad::offers);
  public static final Measure<DeviceLoad> FREE_MEMORY =
      add(
          "freeBytes",
          "Free memory",
          Unit.BYTES,
          false,
          true,
          "Free memory of the device's own",
          DeviceLoad::freeBytes);
  public static final Measure<DeviceLoad> USED_MEMORY =
      add(
          "usedBytes",
          "Memory",
          Unit.BYTES,
          false,
          true,
          "Memory in use, of the device's own",
          DeviceLoad::usedBytes);
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

  /** All of them. */
  public static final List<Measure<DeviceLoad>> ALL = List.copyOf(TABLE);

  private DeviceMeasures() {}

  private static Measure<DeviceLoad> level(
      String name, String title, Unit unit, String description, Function<DeviceLoad, Long> getter) {
    return add(name, title, unit, false, false, description, getter);
  }

  private static Measure<DeviceLoad> counter(
      String name, String title, Unit unit, String description, Function<DeviceLoad, Long> getter) {
    return add(name, title, unit, true, false, description, getter);
  }

  private static Measure<DeviceLoad> copied(
      String name, String title, Unit unit, String description, Function<Transfers, Long> getter) {
    return add(
        name,
        title,
        unit,
        true,
        true,
        description,
        d -> d.transfers() == null ? null : getter.apply(d.transfers()));
  }

  private static Measure<DeviceLoad> add(
      String name,
      String title,
      Unit unit,
      boolean growsOnly,
      boolean nullable,
      String description,
      Function<DeviceLoad, Long> getter) {
    Measure<DeviceLoad> measure =
        new Measure<>(name, title, unit, growsOnly, nullable, description, getter);
    TABLE.add(measure);
    return measure;
  }
}
