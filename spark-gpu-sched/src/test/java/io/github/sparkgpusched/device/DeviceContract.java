package io.github.sparkgpusched.device;

import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.schedule.DeviceFacts;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import io.github.sparkgpusched.testing.Patience;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.spark.sql.types.DataTypes;

/**
 * What a device of every kind must do, whatever it is made of. A kind's own tests call {@link
 * #holds}; to be called on one thread, which is the owner then.
 */
public final class DeviceContract {
  private static final int ROWS = 2000;

  private record InFlight(Launch launch, int from, int until) {}

  private DeviceContract() {}

  /**
   * Throws {@link AssertionError} if a device is not what it should be.
   *
   * @param kind of the device, before the colon of its name
   * @param devices makes one that is not open yet, again and again the same
   */
  public static void holds(String kind, Supplier<? extends CallDevice> devices) throws Exception {
    saysWhatItIs(kind, devices.get());
    devices.get().close(); // one that was never opened
    for (int round = 0; round < 2; round++) { // one that was closed may be opened by another
      CallDevice device = devices.get();
      device.open();
      facts(device.facts());
      refusesWithAReason(device);
      eachCallAlone(device);
      callsTogether(device);
      blocksThatAreNotWanted(device);
      eachCallAlone(device);
      device.close();
    }
  }

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  private static void saysWhatItIs(String kind, CallDevice device) {
    check(device.name().matches(kind + ":\\S+"), "called " + device.name());
    WorkerSpec spec = device.spec();
    check(spec.depth() >= 1 && spec.staged(), "no launch device: " + spec);
    check(device.transferNanosPerByte() >= 0, "bytes take less than no time");
  }

  private static void facts(DeviceFacts facts) {
    check(facts.freeBytes() >= -1 && facts.freeBytes() <= facts.totalBytes(), facts.toString());
  }

  private static void refusesWithAReason(CallDevice device) {
    try (Batch batch = Batches.multiplyAdd(1, 1)) {
      UdfCall call =
          new UdfCall("odd", List.of(DataTypes.DoubleType), DataTypes.CalendarIntervalType);
      String reason = device.whyNot(call, batch.udf()).orElse("");
      check(!reason.isBlank(), "takes what no device can give back, or has no reason");
      check(device.whyNot(call, batch.udf()).orElse("").equals(reason), "another reason each time");
    }
  }

  /** What the device takes of the built-in functions; at least one. */
  private static List<Batch> batches(CallDevice device, int rows, long seed) {
    List<Batch> taken = new ArrayList<>();
    for (Batch batch : Batches.builtIn(rows, seed)) {
      if (device.whyNot(batch.call(), batch.udf()).isEmpty()) {
        taken.add(batch);
      } else {
        batch.close();
      }
    }
    check(!taken.isEmpty(), "takes no function at all");
    return taken;
  }

  private static void eachCallAlone(CallDevice device) throws Exception {
    for (int blockRows : new int[] {ROWS, 333, 64}) {
      for (Batch batch : batches(device, ROWS, blockRows)) {
        try (batch) {
          compute(device, List.of(batch.begin()), blockRows);
          batch.check();
        }
      }
    }
  }

  private static void callsTogether(CallDevice device) throws Exception {
    List<Batch> batches = batches(device, ROWS, 5);
    compute(device, batches.stream().map(Batch::begin).toList(), 300);
    for (Batch batch : batches) {
      batch.check();
      batch.close();
    }
  }

  private static void compute(CallDevice device, List<CallOnDevice> calls, int blockRows)
      throws Exception {
    try (Launcher launcher = device.launcher(calls, null)) {
      Deque<InFlight> flight = new ArrayDeque<>();
      int next = 0;
      while (next < ROWS || !flight.isEmpty()) {
        while (next < ROWS && flight.size() < device.spec().depth()) {
          flight.add(start(launcher, next, Math.min(ROWS, next + blockRows)));
          next = flight.getLast().until();
        }
        publish(flight.poll(), calls);
      }
    }
  }

  private static InFlight start(Launcher launcher, int from, int until) throws Exception {
    Launch launch = stage(launcher, from, until);
    launch.start();
    return new InFlight(launch, from, until);
  }

  /** In two parts, as a block is published whose other rows another device has won. */
  private static void publish(InFlight block, List<CallOnDevice> calls) throws Exception {
    await(block.launch());
    int middle = (block.from() + block.until()) / 2;
    Launch.RowsLeft left = Batch.onHost(calls);
    block.launch().publish(block.from(), middle, left);
    block.launch().publish(middle, block.until(), left);
    check(block.launch().transfers() != null, "no transfers");
    block.launch().computeNanos(); // may be known or not
    block.launch().close();
  }

  private static void await(Launch launch) throws Exception {
    long begin = System.nanoTime();
    while (!launch.isDone()) {
      check(System.nanoTime() - begin < Patience.NANOS, "a block does not end");
      LockSupport.parkNanos(100_000);
    }
  }

  /** Of a job that was cancelled, or has ended without them: nothing of theirs is written. */
  private static void blocksThatAreNotWanted(CallDevice device) throws Exception {
    for (Batch batch : batches(device, ROWS, 11)) {
      try (batch) {
        Launcher launcher = device.launcher(List.of(batch.begin()), null);
        stage(launcher, 0, 10).close(); // never started
        List<InFlight> flight = new ArrayList<>();
        for (int i = 0; i < device.spec().depth(); i++) {
          flight.add(start(launcher, 100 * i, 100 * i + 100));
        }
        for (InFlight block : flight) {
          block.launch().close();
        }
        launcher.close();
        check(batch.isUntouched(), "a block that was closed has written results");
      }
    }
  }

  /** Rows that were staged on a device that failed are nobody's: it throws, and writes nothing. */
  public static void failsAlone(CallDevice device, Runnable breaks) throws Exception {
    device.open();
    Batch batch = batches(device, ROWS, 13).get(0);
    try (batch) {
      List<CallOnDevice> calls = List.of(batch.begin());
      Launcher launcher = device.launcher(calls, null);
      InFlight block = null;
      try {
        block = start(launcher, 0, ROWS);
        breaks.run();
        publish(block, calls); // it may have been done before
        publish(start(launcher, 0, ROWS), calls);
        throw new AssertionError("a device that is broken goes on");
      } catch (DeviceFailedException e) {
        check(e.getMessage().startsWith(device.name()), e.getMessage());
      }
      if (block != null) {
        block.launch().close();
      }
      launcher.close();
    }
    device.close();
  }
}
