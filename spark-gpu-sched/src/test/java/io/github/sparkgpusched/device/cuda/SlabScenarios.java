package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.await;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.checkAllGivenBack;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.compute;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.open;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.pause;
import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.Slab;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.Launch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jcuda.Pointer;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.JCudaDriver;
import org.apache.spark.unsafe.Platform;

/** What a device copies from and to batches by itself. See {@link CudaScenarios}. */
final class SlabScenarios {
  private static final int ROWS = 3000;

  /** Functions whose results are all there, and of fixed width. */
  private static final Set<String> COLUMNS =
      Set.of("identity", "multiply_add", "mandelbrot_iterations");

  private SlabScenarios() {}

  /** All rows of a batch as one block, which is closed. */
  private static void whole(CudaLauncher launcher, int rows) throws Exception {
    block(launcher, 0, rows);
  }

  static void block(CudaLauncher launcher, int from, int until) throws Exception {
    Launch launch = stage(launcher, from, until);
    launch.start();
    await(launch);
    launch.publish(from, until, Batch.onHost(launcher.calls()));
    launch.close();
  }

  /** A whole batch's results become its column once the job is over, if there are all of them. */
  static void slabsOfResults() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    for (int seed = 0; seed < 3; seed++) {
      for (Batch batch : Batches.all(ROWS, seed)) {
        CallOnDevice begun = batch.begin();
        BatchColumn result = begun.columns().result();
        try (batch;
            CudaLauncher launcher = new CudaLauncher(device, List.of(begun))) {
          long before = result.valueAddress(0);
          whole(launcher, ROWS);
          check(result.valueAddress(0) == before, "a column changes while its job runs");
          batch.check();
          boolean changed = result.valueAddress(0) != before;
          // Others have results that are strings, or rows for the host form.
          check(
              changed == COLUMNS.contains(batch.call().name()),
              batch.call().name() + ": " + changed);
          batch.begin();
          block(launcher, 0, ROWS / 2);
          block(launcher, ROWS / 2, ROWS);
          before = result.valueAddress(0);
          batch.check();
          check(result.valueAddress(0) == before, "results of two blocks are taken as a column");
        }
      }
    }
    checkAllGivenBack(device);
    check(device.slabs().slabs() <= 2, device.slabs().slabs() + " slabs are out");
    device.close();
  }

  /** Tasks have all slabs for a while: results are copied then, and later are not again. */
  static void slabsAreShortForAWhile() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    try (Batch batch = Batches.identity(ROWS, 1)) {
      CallOnDevice begun = batch.begin();
      BatchColumn result = begun.columns().result();
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(begun))) {
        whole(launcher, ROWS); // afterwards there are slabs
        batch.check();
        List<Slab> all = new ArrayList<>();
        for (Slab slab; (slab = device.slabs().take(4096)) != null; ) {
          all.add(slab);
        }
        batch.begin();
        whole(launcher, ROWS);
        long before = result.valueAddress(0);
        batch.check();
        check(result.valueAddress(0) == before, "a slab that another has is given");
        all.forEach(Slab::giveBack);
        batch.begin();
        whole(launcher, ROWS);
        before = result.valueAddress(0);
        batch.check();
        check(result.valueAddress(0) != before, "results are copied though there are slabs");
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** A block is given up before the device has it: what it will read is not written meanwhile. */
  static void slabsOfAGivenUpBlock() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    try (Batch few = Batches.levenshtein(ROWS, 1);
        Batch more = Batches.levenshtein(ROWS, 2)) {
      CallOnDevice call = few.begin();
      BatchColumn column = call.columns().argument(0);
      int held = device.slabs().slabs();
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(call));
          CudaLauncher other = new CudaLauncher(device, List.of(more.begin()))) {
        long before = column.valueAddress(0);
        column.reserve(ROWS);
        check(column.valueAddress(0) == before, "a column moves that nobody reads");
        Launch notWanted = stage(launcher, 0, ROWS);
        notWanted.start();
        notWanted.close();
        String second = column.describe(1);
        column.dropFirst(1, ROWS);
        check(column.valueAddress(0) != before, "rows move where a device reads");
        check(column.describe(0).equals(second), column.describe(0) + " is not " + second);
        check(device.slabs().slabs() > held, "a slab that a device reads is given to others");
        Launch again = stage(launcher, 0, ROWS - 1);
        again.start();
        again.close();
        before = column.valueAddress(0);
        column.reserve(ROWS);
        check(column.valueAddress(0) != before, "a column is filled that a device reads");
        whole(other, ROWS);
        more.check();
      }
      while (!device.pipeline().isQuiet()) {
        pause();
      }
      long last = column.valueAddress(0);
      column.reserve(ROWS);
      check(column.valueAddress(0) == last, "a column moves that nobody reads any more");
    }
    checkAllGivenBack(device);
    check(device.slabs().slabs() <= 3, device.slabs().slabs() + " slabs are out");
    device.close();
  }

  /**
   * The job of a block ends, and its task goes on, between the block's staging and its start: as
   * where a device is given up while it waits for memory. What was staged is computed.
   */
  static void slabsOfAJobThatIsOver() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    int from = 100; // one row before it is for the host form
    Batch refilled = Batches.levenshtein(ROWS, 1);
    try (refilled;
        Batch same = Batches.levenshtein(ROWS, 1)) {
      CallOnDevice call = refilled.begin();
      CallOnDevice wanted = same.begin();
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(call));
          CudaLauncher other = new CudaLauncher(device, List.of(wanted))) {
        Launch late = stage(launcher, from, ROWS);
        for (int i = 0; i < 2; i++) {
          BatchColumn column = call.columns().argument(i);
          column.reserve(ROWS); // elsewhere, as the device is to read the rows that were there
          Platform.setMemory(null, column.valueAddress(0), 16L * ROWS, (byte) 0);
          column.setAllValid(0, ROWS);
          column.setMayHaveNulls(false);
        }
        late.start();
        await(late);
        late.publish(from, ROWS, Batch.onHost(launcher.calls()));
        late.close();
        block(other, from, ROWS);
        checkRows(call.columns().result(), wanted.columns().result(), from);
        Launch last = stage(launcher, 0, ROWS);
        refilled.close();
        last.start();
        await(last);
        last.close();
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  private static void checkRows(BatchColumn had, BatchColumn wanted, int from) {
    for (int row = from; row < ROWS; row++) {
      check(
          had.describe(row).equals(wanted.describe(row)),
          "row " + row + ": " + had.describe(row) + " instead of " + wanted.describe(row));
    }
  }

  /**
   * A context ends under the tasks' batches, which stay what they are; the next one has its own.
   */
  static void slabsOutliveAContext() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    try (Batch batch = Batches.levenshtein(ROWS, 1)) {
      CallOnDevice call = batch.begin();
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(call))) {
        compute(device, launcher, ROWS, ROWS);
      }
      check(device.recover(), "no new context");
      check(device.slabs().slabs() == 0, device.slabs().slabs() + " slabs of the new context");
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        compute(device, launcher, ROWS, ROWS);
      }
      batch.check();
    }
    checkAllGivenBack(device);
    device.close();
    check(device.slabs().heldBytes() == 0, device.slabs().heldBytes() + " bytes are not freed");
  }

  /** A launch that finds no slot leaves nothing of its batch with the device. */
  static void slabsOfARefusedLaunch() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    int before = device.slabs().slabs();
    List<Launch> staged = new ArrayList<>();
    try (Batch batch = Batches.levenshtein(ROWS, 1);
        CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
      try {
        while (true) {
          staged.add(stage(launcher, 0, ROWS));
        }
      } catch (DeviceMemoryException e) {
        check(staged.size() > device.spec().depth(), staged.size() + " launches");
      }
      staged.forEach(Launch::close);
    }
    checkAllGivenBack(device);
    check(device.slabs().slabs() == before, device.slabs().slabs() + " slabs are out");
    device.close();
  }

  /**
   * Page-locked memory is known to the driver while its context is there, and not after that; the
   * batch stays what it is.
   */
  static void slabsAreUnlocked() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    try (Batch batch = Batches.identity(ROWS, 1)) {
      long values = batch.begin().columns().argument(0).valueAddress(0);
      check(isKnown(values), "a batch is not page-locked");
      check(device.recover(), "no new context");
      check(!isKnown(values), "a batch is page-locked in a context that has ended");
      try (CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()))) {
        whole(launcher, ROWS);
        batch.check();
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  private static boolean isKnown(long address) {
    int[] type = new int[1];
    return JCudaDriver.cuPointerGetAttribute(
            Pointer.to(type),
            CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
            Addresses.device(address))
        == 0;
  }

  /** Queues with so much room that their zeros are not copied. */
  static void manyQueues() throws Exception {
    BlockSettings.Builder blocks = new BlockSettings.Builder();
    blocks.strategy = "stealing";
    blocks.stealThreshold = 1;
    blocks.shareThreshold = 2;
    blocks.queueCapacity = 1024;
    CudaDevice device =
        CudaDevices.find(CudaScenarios.settings("cuda:0", null, 64 << 20, blocks.build())).get(0);
    device.open();
    Batch.lieIn(device.slabs());
    for (int round = 0; round < 3; round++) {
      List<Batch> batches = new ArrayList<>(Batches.all(ROWS, round));
      List<CallOnDevice> calls = batches.stream().map(Batch::begin).toList();
      try (CudaLauncher launcher = new CudaLauncher(device, calls)) {
        compute(device, launcher, ROWS, ROWS);
      }
      for (Batch batch : batches) {
        batch.check();
        batch.close();
      }
    }
    checkAllGivenBack(device);
    device.close();
  }
}
