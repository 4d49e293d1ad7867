package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.await;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.checkAllGivenBack;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.compute;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.pause;
import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.Launch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Devices that copy from what others have page-locked. Each has an owner, a thread. See {@link
 * CudaScenarios}.
 */
final class NeighbourScenarios {
  private static final int ROWS = 3000;

  private NeighbourScenarios() {}

  /** What one device has page-locked another copies from by itself. */
  static void slabsNearAnotherDevice() throws Exception {
    besideAnother((owner, first, other) -> {});
  }

  /**
   * The same, until the first ends its context: that waits for the other's blocks, and what is
   * computed then is staged.
   */
  static void slabsOfAnotherDevice() throws Exception {
    besideAnother(NeighbourScenarios::endUnderACopy);
  }

  /** What a block was lent that nobody wants any more goes back while its device has a rest. */
  static void slabsOfADeviceAtRest() throws Exception {
    besideAnother(
        (owner, first, other) -> {
          try (Batch batch = Batches.levenshtein(ROWS, 2);
              CudaLauncher launcher = new CudaLauncher(other, List.of(batch.begin()))) {
            Launch notWanted = stage(launcher, 0, ROWS);
            notWanted.start();
            notWanted.close();
            while (other.rest()) {
              pause();
            }
            check(owner.submit(first::recover).get(), "a block that has ended reads on");
          }
        });
  }

  /** The same while a later block of the device takes very long: its second kernel never ends. */
  static void slabsOfADeviceAtWork() throws Exception {
    List<CudaDevice> devices = CudaScenarios.devices();
    CudaDevice first = devices.get(0);
    CudaDevice other = devices.get(1);
    ExecutorService owner = owner(first);
    other.open();
    Batch batch = Batches.levenshtein(ROWS, 2);
    CudaLauncher launcher = new CudaLauncher(other, List.of(batch.begin()));
    Batch.lieIn(SlabPool.NONE);
    Batch staged = Batches.identity(ROWS, 2);
    CudaLauncher second = new CudaLauncher(other, List.of(staged.begin()));
    // First, as whatever is staged looks at the blocks before it.
    Launch isLong = stage(second, 0, ROWS);
    Launch notWanted = stage(launcher, 0, ROWS);
    notWanted.start();
    notWanted.close();
    isLong.start();
    Future<Boolean> recovered = owner.submit(first::recover);
    while (!recovered.isDone()) {
      check(!isLong.isDone(), "a block is done that never ends");
      pause();
    }
    check(recovered.get(), "a block that has ended reads on");
  }

  private interface Further {
    void check(ExecutorService owner, CudaDevice first, CudaDevice other) throws Exception;
  }

  private static void besideAnother(Further further) throws Exception {
    List<CudaDevice> devices = CudaScenarios.devices();
    CudaDevice first = devices.get(0);
    CudaDevice other = devices.get(1);
    ExecutorService owner = owner(first);
    other.open();
    for (Batch batch : Batches.all(ROWS, 1)) {
      try (batch;
          CudaLauncher launcher = new CudaLauncher(other, List.of(batch.begin()))) {
        check(first.slabs().slabs() > 0, "the batch does not lie near the first device");
        SlabScenarios.block(launcher, 0, ROWS);
        batch.check();
      }
    }
    lends(other);
    further.check(owner, first, other);
    checkAllGivenBack(other);
    other.close();
    owner.submit(first::close).get();
  }

  /** What a block reads by itself is not written meanwhile; what is staged may be. */
  private static void lends(CudaDevice other) throws Exception {
    try (Batch batch = Batches.identity(ROWS, 1)) {
      CallOnDevice call = batch.begin();
      BatchColumn column = call.columns().argument(0);
      try (CudaLauncher launcher = new CudaLauncher(other, List.of(call))) {
        Launch reads = stage(launcher, 0, ROWS);
        long before = column.valueAddress(0);
        column.reserve(ROWS);
        check(column.valueAddress(0) != before, "the other device has all of a batch staged");
        reads.close();
      }
    }
  }

  /** The thread that opens a device. */
  private static ExecutorService owner(CudaDevice device) throws Exception {
    ExecutorService owner = Executors.newSingleThreadExecutor();
    owner
        .submit(
            () -> {
              device.open();
              return null;
            })
        .get();
    return owner;
  }

  private static void endUnderACopy(ExecutorService owner, CudaDevice first, CudaDevice other)
      throws Exception {
    try (Batch batch = Batches.levenshtein(ROWS, 2);
        CudaLauncher launcher = new CudaLauncher(other, List.of(batch.begin()))) {
      Launch reads = stage(launcher, 0, ROWS);
      reads.start();
      check(!owner.submit(first::recover).get(), "a context ends under another device's block");
      await(reads);
      reads.publish(0, ROWS, Batch.onHost(launcher.calls()));
      reads.close();
      check(owner.submit(first::recover).get(), "no new context");
      batch.check();
      batch.begin();
      SlabScenarios.block(launcher, 0, ROWS);
      batch.check();
    }
  }

  /**
   * Two devices read each other's memory as a function traps on both: each ends its context once
   * the other has given back what it was lent, and both compute on. Kernels of {@code identity}
   * trap.
   */
  static void bothFail() throws Exception {
    List<CudaDevice> devices = CudaScenarios.devices();
    List<ExecutorService> owners = new ArrayList<>();
    for (CudaDevice device : devices) {
      owners.add(owner(device));
    }
    CyclicBarrier bothRead = new CyclicBarrier(2);
    List<Future<?>> done = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      CudaDevice device = devices.get(i);
      CudaDevice neighbour = devices.get(1 - i);
      Batch.lieIn(neighbour.slabs());
      Batch batch = Batches.identity(ROWS, 1);
      CallOnDevice call = batch.begin();
      check(neighbour.slabs().slabs() > 0, "the batch does not lie near " + neighbour.name());
      Batch next = Batches.multiplyAdd(ROWS, 1);
      done.add(
          owners
              .get(i)
              .submit(
                  () -> {
                    failsAndRecovers(device, call, bothRead);
                    try (next;
                        CudaLauncher launcher = new CudaLauncher(device, List.of(next.begin()))) {
                      compute(device, launcher, ROWS, ROWS);
                      next.check();
                    }
                    checkAllGivenBack(device);
                    batch.close();
                    return null;
                  }));
    }
    for (Future<?> one : done) {
      one.get();
    }
    for (int i = 0; i < 2; i++) {
      owners.get(i).submit(devices.get(i)::close).get();
      check(devices.get(i).slabs().heldBytes() == 0, "memory is not freed");
    }
  }

  private static void failsAndRecovers(CudaDevice device, CallOnDevice call, CyclicBarrier bothRead)
      throws Exception {
    try (CudaLauncher launcher = new CudaLauncher(device, List.of(call))) {
      Launch launch = stage(launcher, 0, ROWS);
      bothRead.await();
      try {
        launch.start();
        await(launch);
        throw new AssertionError("no failure");
      } catch (DeviceFailedException e) {
        check(e.getMessage().contains("719"), e.getMessage());
      } finally {
        launch.close();
      }
    }
    check(device.recover(), device.name() + " has no new context");
  }
}
