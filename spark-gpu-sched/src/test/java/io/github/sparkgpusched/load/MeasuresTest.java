package io.github.sparkgpusched.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.api.DeviceState;
import io.github.sparkgpusched.api.InnerLoad;
import io.github.sparkgpusched.api.Transfers;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The tables of measures against the records that they read. */
class MeasuresTest {
  /** Every figure is another one. */
  private static final DeviceLoad DEVICE =
      DeviceLoad.builder("x:0")
          .state(DeviceState.QUARANTINED)
          .queueDepth(2)
          .capacity(3)
          .inFlight(5)
          .rows(7)
          .blocks(11)
          .stealRequests(13)
          .steals(17)
          .failures(19)
          .busyNanos(23_000_000)
          .idleNanos(29_000_000)
          .stalledNanos(31_000_000L)
          .offers(37L)
          .freeBytes(41L)
          .usedBytes(43L)
          .transfers(new Transfers(47, 53, 59_000_000))
          .build();

  /** The numbers of a record and of the records in it, by name. */
  private static void numbers(Record record, String prefix, Map<String, Long> into)
      throws ReflectiveOperationException {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(record);
      String name = prefix + component.getName();
      if (value instanceof Number number) {
        into.put(name, number.longValue());
      } else if (value instanceof Record inner) {
        numbers(inner, name + ".", into);
      }
    }
  }

  private static <T extends Record> Map<String, String> readBy(T of, List<Measure<T>> measures)
      throws ReflectiveOperationException {
    Map<String, Long> numbers = new TreeMap<>();
    numbers(of, "", numbers);
    assertEquals(numbers.size(), new HashSet<>(numbers.values()).size(), "figures differ");
    Map<String, String> readBy = new TreeMap<>();
    for (Measure<T> measure : measures) {
      for (Map.Entry<String, Long> number : numbers.entrySet()) {
        if (number.getValue().equals(measure.kept(of))) {
          assertNull(readBy.put(number.getKey(), measure.keptName()), measure.name());
        }
      }
    }
    assertEquals(numbers.keySet(), readBy.keySet(), "every figure is a measure");
    return readBy;
  }

  @Test
  void everyFigureOfADeviceIsAMeasureOfItsName() throws ReflectiveOperationException {
    readBy(DEVICE, DeviceMeasures.ALL)
        .forEach(
            (figure, measure) ->
                assertEquals(
                    figure.equals("transfers.nanos")
                        ? "transferNanos"
                        : figure.substring(figure.lastIndexOf('.') + 1),
                    measure));
  }

  @Test
  void everyFigureOfWorkIsAMeasureOfItsName() throws ReflectiveOperationException {
    readBy(new Work(2, 3, 5, 7_000_000), WorkMeasures.ALL).forEach((a, b) -> assertEquals(a, b));
  }

  @Test
  void whatADeviceNeedNotHaveIsNullable() {
    DeviceLoad plain = DeviceLoad.builder("x:0").build();
    for (Measure<DeviceLoad> measure : DeviceMeasures.ALL) {
      assertEquals(measure.nullable(), measure.told(plain) == null, measure.name());
    }
    for (Measure<UdfLoad> measure : UdfMeasures.ALL) {
      assertEquals(measure.nullable(), measure.told(UdfLoad.none("f")) == null, measure.name());
    }
  }

  @Test
  void namesAreUniqueAndSayTheirUnits() {
    List<Measure<?>> all = new ArrayList<>(DeviceMeasures.ALL);
    all.addAll(UdfMeasures.ALL);
    for (Measure<?> measure : all) {
      assertEquals(measure.unit() == Unit.MILLIS, measure.name().endsWith("Millis"));
      assertEquals(measure.unit() == Unit.MICROS, measure.name().endsWith("Micros"));
      assertEquals(measure.unit() == Unit.BYTES, measure.name().endsWith("Bytes"));
      assertFalse(measure.description().endsWith("."), measure.description());
    }
    Set<String> columns = new HashSet<>();
    LoadColumn.OF_DEVICES.forEach(column -> assertTrue(columns.add(column.name()), column.name()));
    Set<String> udfs = new HashSet<>();
    UdfMeasures.ALL.forEach(measure -> assertTrue(udfs.add(measure.name()), measure.name()));
  }

  @Test
  void timesAreToldInTheUnitOfTheirName() {
    assertEquals(23, DeviceMeasures.BUSY.told(DEVICE));
    assertEquals(59, DeviceMeasures.TRANSFER.told(DEVICE));
    assertEquals(7, DeviceMeasures.ROWS.told(DEVICE));
  }

  @Test
  void aCopyOfCountersHasEveryField() throws ReflectiveOperationException {
    Counters counters = new Counters(3);
    int n = 5;
    for (Field field : Counters.class.getDeclaredFields()) {
      if (field.getType() == long.class) {
        field.setLong(counters, n++);
      } else if (field.getType() == int.class) {
        field.setInt(counters, n++);
      } else if (field.getType() == Long.class) {
        field.set(counters, (long) n++);
      }
    }
    counters.state = DeviceState.QUARANTINED;
    counters.transfers = new Transfers(1, 2, 3);
    counters.inner = new InnerLoad(1, 2, 3, 4, 5, 6, 7, 8, Map.of());
    Counters copy = new Counters(counters);
    for (Field field : Counters.class.getDeclaredFields()) {
      assertNotNull(field.get(counters), field.getName());
      assertEquals(field.get(counters), field.get(copy), field.getName());
    }
  }

  @Test
  void aBuilderKeepsEveryFigure() {
    assertEquals(DEVICE, DEVICE.toBuilder().build());
    assertTrue(DEVICE.isSameButIdle(DEVICE.toBuilder().idleNanos(1).build()));
    assertFalse(DEVICE.isSameButIdle(DEVICE.toBuilder().transfers(null).build()));
  }
}
