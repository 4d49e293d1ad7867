package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.UdfPattern;
import io.github.sparkgpusched.schedule.Strategies;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.testing.BareSpark;
import io.github.sparkgpusched.testing.Patience;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executors that share rows, in one process, over a network that cuts connections, loses answers,
 * brings them late, and spoils them: each batch is right, and nothing is left. What is sent in
 * which order is drawn from a seed; threads are as they are.
 */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(BareSpark.class)
class SharedRowsTest {
  private static final int ROWS = 4000;

  /** Some ten microseconds a row; the results are strings of many lengths, and nulls. */
  public static final class Churn implements UDF2<Long, String, String>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public String call(Long value, String text) {
      long x = value;
      for (int i = 0; i < 10_000; i++) {
        x = x * 6364136223846793005L + 1442695040888963407L;
      }
      return value % 11 == 0 ? null : text.repeat((int) (value % 5)) + x;
    }
  }

  /** Some ten microseconds a row, of fixed width. */
  public static final class Collatz implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long value) {
      long x = value;
      for (int i = 0; i < 10_000; i++) {
        x = (x & 1) == 0 ? x / 2 : 3 * x + 1;
      }
      return x;
    }
  }

  /** Needs what lenders do not have. */
  public static final class HomeSick implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;
    static final AtomicInteger FAILED = new AtomicInteger();
    private final Collatz collatz = new Collatz();

    @Override
    public Long call(Long value) {
      if (Thread.currentThread().getName().startsWith("gpusched-guest-")) {
        FAILED.incrementAndGet();
        throw new NoSuchMethodError("not here");
      }
      return collatz.call(value);
    }
  }

  private final Matchmaker matchmaker = new Matchmaker(SharedCalls.start());

  @AfterEach
  void end() {
    SharedCalls.end();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 20, 0, 0, 0",
    "2, 0, 15, 0, 0",
    "3, 0, 0, 400, 0",
    "4, 0, 0, 0, 60",
    "5, 10, 10, 200, 20"
  })
  void eachRowIsComputedOnceWhateverTheNetworkDoes(
      long seed, int cuts, int lost, int late, int spoiled) throws Exception {
    SharedCalls shared = SharedCalls.start();
    Churn udf = new Churn();
    UdfCall call =
        SharedCalls.numbered(
            new UdfCall(
                "churn", List.of(DataTypes.LongType, DataTypes.StringType), DataTypes.StringType),
            udf,
            new UdfPattern("churn", udf),
            true);
    Matchmaker matchmaker = new Matchmaker(shared);
    try (Loopback network = new Loopback(seed);
        PeerRig owner = new PeerRig("owner", network, matchmaker);
        PeerRig first = new PeerRig("first", network, matchmaker);
        PeerRig second = new PeerRig("second", network, matchmaker)) {
      owner.taskStarted(PeerRig.CORES);
      try (Batch batch = new Batch(ROWS, udf, call)) {
        byte[] none = new byte[0];
        byte[] text = "häufig".getBytes(StandardCharsets.UTF_8);
        // Lenders keep these, in rows whose results have nothing of them.
        byte[][] large = {new byte[1024], new byte[5000], new byte[30_000]};
        batch.argument(row -> row % 17 == 0 ? null : (Object) (row * 31L));
        batch.argument(row -> row % 5 == 0 ? large[row % 3] : row % 3 == 0 ? none : text);
        computeUntilRowsMove(owner, batch);
        network.fail(new Loopback.Faults(cuts, lost, late, spoiled));
        for (int i = 0; i < 15; i++) {
          owner.compute(batch);
          batch.check();
          if (i % 10 == 5) {
            first.taskStarted(PeerRig.CORES); // it wants its cores back
          } else if (i % 10 == 9) {
            first.taskEnded(PeerRig.CORES);
          }
        }
        network.fail(Loopback.Faults.NONE);
        computeUntilRowsMove(owner, batch);
      }
      owner.taskEnded(PeerRig.CORES);
      for (PeerRig peer : List.of(owner, first, second)) {
        peer.awaitIdle();
      }
    }
    PeerRig.awaitNoGuests();
  }

  /** A launch device of the lender computes rows beside the core that is lent. */
  @Test
  void launchDevicesOfALenderComputeToo() throws Exception {
    Collatz udf = new Collatz();
    UdfCall call = numbered(udf, DataTypes.LongType, DataTypes.LongType);
    try (Loopback network = new Loopback(1);
        PeerRig owner = new PeerRig("owner", network, matchmaker);
        PeerRig lender = new PeerRig("lender", network, matchmaker, new InPlaceDevice())) {
      owner.taskStarted(PeerRig.CORES);
      try (Batch batch = new Batch(ROWS, udf, call)) {
        batch.argument(row -> row % 7 == 0 ? null : (Object) (row * 31L));
        long deadline = System.nanoTime() + Patience.NANOS;
        while (lender.lentRows(PeerRig.CORES) == 0 || lender.lentRows(0) == 0) {
          assertTrue(System.nanoTime() < deadline, "a device lends nothing");
          owner.compute(batch);
          batch.check();
        }
      }
      owner.taskEnded(PeerRig.CORES);
      lender.awaitIdle();
    }
  }

  /** A lane keeps the calls that it was last asked for, and computes any. */
  @Test
  void aLaneComputesMoreCallsThanItKeeps() throws Exception {
    try (Loopback network = new Loopback(1);
        PeerRig owner = new PeerRig("owner", network, matchmaker);
        PeerRig lender = new PeerRig("lender", network, matchmaker)) {
      owner.taskStarted(PeerRig.CORES);
      for (int i = 0; i < 140; i++) { // two cores are lent
        Collatz udf = new Collatz();
        UdfCall call = numbered(udf, DataTypes.LongType, DataTypes.LongType);
        try (Batch batch = new Batch(ROWS / 4, udf, call)) {
          batch.argument(row -> row * 31L);
          long deadline = System.nanoTime() + Patience.NANOS;
          while (owner.compute(batch) == 0) {
            assertTrue(System.nanoTime() < deadline, "call " + i + " is computed by nobody else");
          }
          batch.check();
        }
      }
      owner.taskEnded(PeerRig.CORES);
      lender.awaitIdle();
    }
  }

  @Test
  void aFunctionThatFailsOnLendersAloneSoonStays() throws Exception {
    HomeSick udf = new HomeSick();
    UdfCall call = numbered(udf, DataTypes.LongType, DataTypes.LongType);
    try (Loopback network = new Loopback(1);
        PeerRig owner = new PeerRig("owner", network, matchmaker);
        PeerRig lender = new PeerRig("lender", network, matchmaker)) {
      owner.taskStarted(PeerRig.CORES);
      try (Batch batch = new Batch(ROWS, udf, call)) {
        batch.argument(row -> row % 7 == 0 ? null : (Object) (row * 31L));
        long deadline = System.nanoTime() + Patience.NANOS;
        while (owner.maySend(batch)) {
          assertTrue(System.nanoTime() < deadline, "it goes to lenders for ever");
          owner.compute(batch);
          batch.check();
        }
        lender.awaitIdle();
        int failed = HomeSick.FAILED.get();
        assertTrue(failed >= 3, failed + " failures");
        for (int i = 0; i < 5; i++) {
          assertEquals(0, owner.compute(batch));
          batch.check();
        }
        assertEquals(failed, HomeSick.FAILED.get());
      }
      owner.taskEnded(PeerRig.CORES);
      lender.awaitIdle();
    }
  }

  /** A device of the lender computes whole blocks, and has their results in memory of its own. */
  @Test
  void whatADeviceOfALenderHasComputedAsAWholeComesBack() throws Exception {
    Collatz udf = new Collatz();
    UdfCall call = numbered(udf, DataTypes.LongType, DataTypes.LongType);
    InPlaceDevice device = new InPlaceDevice();
    Strategy whole = Strategies.byName("fixed", new Strategies.Options(ROWS));
    try (Loopback network = new Loopback(1);
        PeerRig owner = new PeerRig("owner", network, matchmaker);
        PeerRig lender = new PeerRig(whole, "lender", network, matchmaker, device)) {
      owner.taskStarted(PeerRig.CORES);
      try (Batch batch = new Batch(ROWS, udf, call)) {
        batch.argument(row -> row % 7 == 0 ? null : (Object) (row * 31L));
        long deadline = System.nanoTime() + Patience.NANOS;
        while (device.wholeBatches() < 10) {
          assertTrue(System.nanoTime() < deadline, "a device computes no whole block");
          owner.compute(batch);
          batch.check();
        }
      }
      owner.taskEnded(PeerRig.CORES);
      lender.awaitIdle();
    }
  }

  private static UdfCall numbered(GpuUdf udf, DataType result, DataType... arguments) {
    return SharedCalls.numbered(
        new UdfCall("f", List.of(arguments), result), udf, new UdfPattern("f", udf), true);
  }

  /** Who was lost is not asked for a while. */
  private static void computeUntilRowsMove(PeerRig owner, Batch batch) throws Exception {
    long deadline = System.nanoTime() + Patience.NANOS;
    for (long remote = 0; remote < 100; ) {
      assertTrue(System.nanoTime() < deadline, "no rows are computed by others");
      remote += owner.compute(batch);
      batch.check();
    }
  }
}
