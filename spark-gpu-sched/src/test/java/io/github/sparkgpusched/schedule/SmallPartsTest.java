package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.sparkgpusched.device.host.HostDevice;
import io.github.sparkgpusched.load.LoadTable;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Arguments that are refused, and classes too small for a test class of their own. */
class SmallPartsTest {
  private static JobSpec spec(long rows) {
    return JobSpec.of(rows, device -> null).build();
  }

  private static String refusal(Runnable call) {
    return assertThrows(IllegalArgumentException.class, call::run).getMessage();
  }

  private static Scheduler scheduler(int cores, LoadTable table, long targetNanos) {
    List<HostDevice> devices = IntStream.range(0, cores).mapToObj(HostDevice::new).toList();
    return new Scheduler(devices, table, targetNanos, Rig.DEFAULT);
  }

  @Test
  void aJobHasNoNegativeNumberOfRows() {
    assertEquals(Long.MAX_VALUE, spec(Long.MAX_VALUE).rows());
    assertEquals("a job has at least 0 rows, not -1", refusal(() -> spec(-1)));
  }

  @Test
  void aSchedulerNeedsDevicesAndTheirEntriesAndATime() {
    LoadTable one = LoadTable.ofNames(List.of("host:0"));
    assertEquals(
        "a scheduler needs devices and a load entry for each, not 0 devices, 0 of them cores, and 1 entries",
        refusal(() -> scheduler(0, one, 1).close()));
    assertEquals(
        "a scheduler needs devices and a load entry for each, not 2 devices, 2 of them cores, and 1 entries",
        refusal(() -> scheduler(2, one, 1).close()));
    assertEquals(
        "a block must take more than 0 nanoseconds, not 0",
        refusal(() -> scheduler(1, one, 0).close()));
  }

  /** Another plugin's, which is counted and not scheduled. */
  @Test
  void anEntryMayBeOfNoDeviceOfTheScheduler() {
    scheduler(1, LoadTable.ofNames(List.of("host:0", "rapids:0")), 1).close();
  }

  @Test
  void aTaskTakesACore() {
    try (Rig rig = new Rig(1)) {
      assertEquals(
          "a task takes at least 1 core, not 0", refusal(() -> rig.scheduler.taskStarted(0)));
      assertEquals(
          "a task takes at least 1 core, not -2", refusal(() -> rig.scheduler.taskEnded(-2)));
    }
  }

  @Test
  void seatsAreSharedOnlyWhenAllAreTaken() {
    DeviceSeats seats = new DeviceSeats(2);
    assertEquals(0, seats.take());
    assertEquals(1, seats.take());
    assertEquals(0, seats.take());
    assertEquals(1, seats.take());
    seats.giveBack(0);
    assertEquals(0, seats.take());
    seats.giveBack(1);
    seats.giveBack(1);
    assertEquals(1, seats.take());
  }

  @Test
  void hostDevicesAreNamedByIndex() {
    assertEquals("host:3", new HostDevice(3).name());
    assertEquals("a host device's index is at least 0, not -1", refusal(() -> new HostDevice(-1)));
  }
}
