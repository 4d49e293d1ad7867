package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.schedule.FakeDevice.Mishap;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.testing.ModelCheck;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The whole scheduler with a core and a device, three rows, and at most one fault, in the orders
 * that a model checker chooses.
 */
class LaunchModelTest {
  private static final int ORDERS = Integer.getInteger("model.orders", 10);

  private static final Strategy ROW_BY_ROW = Strategies.byName("fixed", new Strategies.Options(1));

  private static void run(Mishap mishap, int at, boolean hostsShare) {
    AtomicIntegerArray written = new AtomicIntegerArray(3);
    RangeBody body = new Writing(written);
    // Without launch and row times a block is done as soon as it is asked for.
    FakeDevice device =
        new FakeDevice(
            "fake:0", 1, 0, 0, (launch, from, until) -> launch == at ? mishap : Mishap.NONE);
    LaunchPolicy policy =
        new LaunchPolicy(new RoundRobin(), hostsShare, true, TimeUnit.HOURS.toNanos(1));
    Rig rig = new Rig(1, List.of(device), 1, ROW_BY_ROW, policy);
    try {
      JobStats stats = rig.scheduler.run(Rig.slow(3, body));
      assertEquals(3, stats.rows());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    for (int row = 0; row < 3; row++) {
      assertEquals(1, written.get(row));
    }
    rig.scheduler.stopAll();
  }

  /** Named, as the model checker looks into lambdas. */
  private record Writing(AtomicIntegerArray written) implements RangeBody {
    @Override
    public Worker open(Device device) {
      return this::write;
    }

    @Override
    public boolean runsOn(LaunchDevice device) {
      return true;
    }

    @Override
    public Launcher launcher(LaunchDevice device) {
      return ((FakeDevice) device).launcher(this::write);
    }

    private void write(long from, long until) {
      for (int row = (int) from; row < until; row++) {
        written.incrementAndGet(row);
      }
    }
  }

  @BeforeAll
  static void initialize() {
    run(Mishap.NONE, 0, true);
    run(Mishap.FAILS, 0, true);
  }

  @Test
  void aCoreAndADevice() {
    ModelCheck.run(ORDERS, () -> run(Mishap.NONE, 0, true));
  }

  @Test
  void aDeviceThatFailsAsItComputes() {
    ModelCheck.run(ORDERS, () -> run(Mishap.FAILS, 0, true));
  }

  @Test
  void aDeviceThatFailsLaterAndACoreThatComesForTheRest() {
    ModelCheck.run(ORDERS, () -> run(Mishap.FAILS, 1, false));
  }
}
