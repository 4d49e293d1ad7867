package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.UdfPattern;
import io.github.sparkgpusched.testing.BareSpark;
import io.github.sparkgpusched.testing.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lender of two cores, and borrowers whose messages the test writes by hand. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(BareSpark.class)
class LendingTest {
  private static final int ROWS = 50;
  private static final Peer LENDER = new Peer("lender", "here", 1, 2);

  /** Waits at a row until the test lets it go on, whoever interrupts it. */
  public static final class Gated implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;
    static final long GATE = 7;
    static volatile CountDownLatch atGate = new CountDownLatch(1);
    static volatile CountDownLatch open = new CountDownLatch(1);
    static final AtomicInteger CALLS = new AtomicInteger();

    @Override
    public Long call(Long value) {
      if (value == GATE) {
        atGate.countDown();
        awaitOpen();
      }
      CALLS.incrementAndGet();
      return 3 * value;
    }

    private static void awaitOpen() {
      while (true) {
        try {
          open.await();
          return;
        } catch (InterruptedException e) {
          // and goes on
        }
      }
    }
  }

  /** Waits at its first row until it is interrupted. */
  public static final class Stuck implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(Long value) throws InterruptedException {
      if (value == 0) {
        Gated.atGate.countDown();
        new CountDownLatch(1).await();
      }
      return value;
    }
  }

  /** A value of a megabyte. */
  public static final class Large implements UDF1<Long, String>, GpuUdf {
    private static final long serialVersionUID = 1L;
    static final int BYTES = 1 << 20;

    @Override
    public String call(Long value) {
      return "x".repeat(BYTES);
    }
  }

  /** The length of a string. */
  public static final class Length implements UDF1<String, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(String value) {
      return (long) value.length();
    }
  }

  /** Makes what it needs at its first call, and fails there; what it says then is wrong. */
  public static final class HalfMade implements UDF1<Long, Long>, GpuUdf {
    private static final long serialVersionUID = 1L;
    private transient boolean begun;

    @Override
    public Long call(Long value) {
      if (!begun) {
        begun = true;
        throw new IllegalStateException("there is no table here");
      }
      return -value;
    }
  }

  /** How often the driver was asked for a function. */
  private final AtomicInteger wants = new AtomicInteger();

  /** The driver answers such a question when this is open, and only if it is not deaf. */
  private volatile CountDownLatch tells = new CountDownLatch(0);

  private volatile boolean isDeaf;

  private final Gated udf = new Gated();
  private final List<Network> borrowers = new ArrayList<>();
  private Loopback network;
  private PeerRig lender;
  private Batch batch;
  private CallOnDevice call;

  /** Of the last answer that was a failure, which the test waits for. */
  private volatile Failure failure;

  private volatile String reason;

  /** The call of {@link Length}. */
  private UdfCall length;

  @BeforeEach
  void lend() {
    Gated.atGate = new CountDownLatch(1);
    Gated.open = new CountDownLatch(1);
    Gated.CALLS.set(0);
    Matchmaker matchmaker = new Matchmaker(SharedCalls.start());
    UdfCall numbered = numbered("gated", udf, DataTypes.LongType);
    Length other = new Length();
    length =
        SharedCalls.numbered(
            new UdfCall("length", List.of(DataTypes.StringType), DataTypes.LongType),
            other,
            new UdfPattern("length", other),
            true);
    network = new Loopback(1);
    lender =
        new PeerRig(
            "lender",
            network,
            question -> {
              if (question instanceof Question.Want) {
                wants.incrementAndGet();
                tells.await();
                if (isDeaf) {
                  throw new IOException("no answer");
                }
              }
              return matchmaker.answer(question, System.nanoTime());
            });
    batch = new Batch(ROWS, udf, numbered);
    batch.argument(row -> (long) row);
    call = batch.begin();
  }

  @AfterEach
  void end() {
    Gated.open.countDown();
    tells.countDown();
    batch.close();
    borrowers.forEach(Network::close);
    lender.awaitIdle();
    lender.close();
    network.close();
    SharedCalls.end();
    PeerRig.awaitNoGuests();
  }

  private static UdfCall numbered(String name, GpuUdf udf, DataType result) {
    return SharedCalls.numbered(
        new UdfCall(name, List.of(DataTypes.LongType), result),
        udf,
        new UdfPattern(name, udf),
        true);
  }

  private Link connect() throws Exception {
    Network station = network.join();
    borrowers.add(station);
    station.begin(new Deaf());
    return station.to(LENDER);
  }

  private static int take(Link link, int protocol, int order) throws IOException {
    byte[] id = Message.utf8("borrower");
    ByteBuffer take = Message.TAKE.begin(6 + id.length).put((byte) protocol).put((byte) order);
    Message.putText(take, id);
    return link.ask(take.flip(), Patience.MILLIS).getInt();
  }

  private static int take(Link link) throws IOException {
    return take(link, Message.PROTOCOL, Message.order());
  }

  private ByteBuffer block(int lane, int from, int until) {
    return block(new Lease(LENDER, null, lane), call, from, until);
  }

  private static ByteBuffer block(Lease lease, CallOnDevice call, int from, int until) {
    List<CallOnDevice> calls = List.of(call);
    int bytes = (int) BlockMessage.bytes(calls, from, until, lease.sentFor(1));
    return BlockMessage.write(calls, null, lease, 1, from, until, bytes);
  }

  /** Status and rows of the answer, and whether the times in it can be true. */
  private record Answer(byte status, int rows, boolean isTimed) {
    static Answer of(ByteBuffer in) {
      byte status = in.get();
      int rows = in.getInt();
      return status == BlockMessage.CANNOT
          ? new Answer(status, rows, false)
          : new Answer(status, rows, isTimed(in.getLong(), in.getLong()) || rows == 0);
    }

    private static boolean isTimed(long computeNanos, long thereNanos) {
      return computeNanos > 0 && thereNanos > computeNanos;
    }
  }

  /** What an answer of no rows says of its failure. */
  private record Failure(int tried, long call) {}

  private CompletableFuture<Answer> run(Link link, ByteBuffer block) {
    CompletableFuture<Answer> came = new CompletableFuture<>();
    link.ask(
        block,
        new RpcResponseCallback() {
          @Override
          public void onSuccess(ByteBuffer response) {
            ByteBuffer in = Message.copy(response);
            Answer answer = Answer.of(in);
            if (answer.status() == BlockMessage.FAILED) {
              in.get(); // its column has a byte
              failure = new Failure(in.getInt(), in.getLong());
              reason = Message.text(in);
            }
            came.complete(answer);
          }

          @Override
          public void onFailure(Throwable e) {
            came.completeExceptionally(e);
          }
        });
    return came;
  }

  private static <T> T soon(CompletableFuture<T> future) throws Exception {
    return future.get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void coresAreLentUntilNoneIsIdle() throws Exception {
    Link link = connect();
    assertEquals(-1, take(link, Message.PROTOCOL, 1 - Message.order()), "of another byte order");
    assertEquals(-1, take(link, Message.PROTOCOL + 1, Message.order()), "of another build");
    assertEquals(1, take(link));
    assertEquals(2, take(link));
    assertEquals(-1, take(link));
    link.send(Message.GIVE.begin(4).putInt(1).flip());
    PeerRig.await("lane", () -> takes(link));
  }

  private static boolean takes(Link link) {
    try {
      return take(link) > 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCoreThatWaitsForRowsIsNotIdle() throws Exception {
    lender.taskStarted(1);
    Link link = connect();
    assertEquals(1, take(link));
    assertEquals(-1, take(link));
    lender.taskEnded(1);
  }

  /** A core whose guest is at work is one that is used, not two. */
  @Test
  void whoIsAtWorkIsCountedOnce() throws Exception {
    Link link = connect();
    CompletableFuture<Answer> first = run(link, block(take(link), 0, ROWS));
    assertTrue(Gated.atGate.await(Patience.SECONDS, TimeUnit.SECONDS));
    assertEquals(2, take(link));
    assertEquals(-1, take(link));
    Gated.open.countDown();
    assertEquals(new Answer(BlockMessage.DONE, ROWS, true), soon(first));
  }

  @Test
  void aTaskThatStartsGetsItsCoreBack() throws Exception {
    Link link = connect();
    CompletableFuture<Answer> first = run(link, block(take(link), 0, ROWS));
    assertTrue(Gated.atGate.await(Patience.SECONDS, TimeUnit.SECONDS));
    lender.taskStarted(2);
    Gated.open.countDown();
    Answer answer = soon(first);
    assertEquals(BlockMessage.LEFT, answer.status());
    assertTrue(answer.rows() > Gated.GATE && answer.rows() < ROWS, answer.toString());
    assertEquals(-1, take(link));
    lender.taskEnded(2);
  }

  @Test
  void nobodyUsesWhatIsLentToAnother() throws Exception {
    Link link = connect();
    int lane = take(link);
    Link other = connect();
    Answer nothing = new Answer(BlockMessage.LEFT, 0, true);
    assertEquals(nothing, soon(run(other, block(lane, 0, 5))));
    other.send(Message.GIVE.begin(4).putInt(lane).flip());
    assertEquals(nothing, soon(run(other, block(99, 0, 5))));
    assertEquals(new Answer(BlockMessage.DONE, 5, true), soon(run(link, block(lane, 0, 5))));
  }

  /** Its core was not wanted back: the next block is computed. */
  @Test
  void aBlockThatIsNotWantedIsLeftAndTheLaneGoesOn() throws Exception {
    Link link = connect();
    int lane = take(link);
    CompletableFuture<Answer> first = run(link, block(lane, 0, ROWS));
    assertTrue(Gated.atGate.await(Patience.SECONDS, TimeUnit.SECONDS));
    link.send(Message.CANCEL.begin(12).putInt(lane).putLong(1).flip());
    take(link); // has been delivered: so was what was sent before
    Gated.open.countDown();
    assertTrue(soon(first).rows() < ROWS);
    ByteBuffer next = block(lane, 0, 5).putLong(5, 2);
    assertEquals(new Answer(BlockMessage.DONE, 5, true), soon(run(link, next)));
  }

  /** Rows whose arguments are their numbers, for a function of a test's own. */
  private static Batch numbers(String name, GpuUdf udf, DataType result) {
    Batch rows = new Batch(ROWS, udf, numbered(name, udf, result));
    rows.argument(row -> (long) row);
    return rows;
  }

  /** As a killed task's own threads are: it may wait for what never comes. */
  @Test
  void whoWaitsAtARowThatNobodyWantsIsInterrupted() throws Exception {
    try (Batch rows = numbers("stuck", new Stuck(), DataTypes.LongType)) {
      CallOnDevice begun = rows.begin();
      Link link = connect();
      Lease lease = new Lease(LENDER, link, take(link));
      CompletableFuture<Answer> first = run(link, block(lease, begun, 0, 5));
      assertTrue(Gated.atGate.await(Patience.SECONDS, TimeUnit.SECONDS));
      lease.cancel(1);
      assertEquals(new Answer(BlockMessage.LEFT, 0, true), soon(first));
      ByteBuffer next = block(lease, begun, 1, 5).putLong(5, 2);
      assertEquals(new Answer(BlockMessage.DONE, 4, true), soon(run(link, next)), "goes on");

      Gated.atGate = new CountDownLatch(1);
      CompletableFuture<Answer> third = run(link, block(lease, begun, 0, 5).putLong(5, 3));
      assertTrue(Gated.atGate.await(Patience.SECONDS, TimeUnit.SECONDS));
      lease.giveBack();
      assertEquals(new Answer(BlockMessage.LEFT, 0, true), soon(third));
      PeerRig.awaitNoGuests();
    }
  }

  /** They lie on both heaps, and nobody knows of them before. */
  @Test
  void soManyBytesOfResultsAreInAnAnswer() throws Exception {
    try (Batch rows = numbers("large", new Large(), DataTypes.StringType)) {
      CallOnDevice begun = rows.begin();
      Link link = connect();
      Lease lease = new Lease(LENDER, link, take(link));
      for (int from = 0; from < ROWS / 2; ) {
        Answer some = soon(run(link, block(lease, begun, from, ROWS)));
        assertEquals(BlockMessage.DONE, some.status());
        assertTrue(some.rows() >= 1 && some.rows() < 10, some.toString());
        from += some.rows();
      }
    }
  }

  @Test
  void resultsDoNotWaitForMemoryOfTasks() throws Exception {
    try (Batch rows = numbers("large", new Large(), DataTypes.StringType)) {
      CallOnDevice begun = rows.begin();
      Link link = connect();
      Lease lease = new Lease(LENDER, link, take(link));
      lender.takeMemory();
      lender.giveMemoryBack(2 * Large.BYTES);
      Answer none = soon(run(link, block(lease, begun, 0, ROWS)));
      assertEquals(new Answer(BlockMessage.LEFT, 0, true), none);
      lender.giveMemoryBack();
    }
  }

  @Test
  void bytesThatAreNoBlockEndNothing() throws Exception {
    Link link = connect();
    int lane = take(link);
    ByteBuffer whole = block(lane, 0, 5);
    for (int bytes = 13; bytes < whole.limit(); bytes += 3) {
      ByteBuffer part = whole.duplicate().order(whole.order()).limit(bytes);
      assertEquals(BlockMessage.CANNOT, soon(run(link, part)).status(), bytes + " bytes");
    }
    ByteBuffer longer = Message.buffer(whole.remaining() + 1).put(whole.duplicate()).put((byte) 0);
    assertEquals(BlockMessage.CANNOT, soon(run(link, longer.flip())).status(), "a byte too many");
    for (int rows : new int[] {-1, 0, Integer.MAX_VALUE, 1 << 24}) {
      ByteBuffer wrong = block(lane, 0, 5);
      wrong.putInt(1 + 4 + 8 + 8 + 4 + 4 + 4 + 8, rows);
      assertEquals(BlockMessage.CANNOT, soon(run(link, wrong)).status(), rows + " rows");
    }
    assertEquals(BlockMessage.CANNOT, soon(run(link, block(lane, 0, 0))).status(), "no rows");
    assertEquals(new Answer(BlockMessage.DONE, 5, true), soon(run(link, whole)));
    for (byte kind : new byte[] {0, 4, 5, 99}) {
      ByteBuffer unknown = ByteBuffer.allocate(1).put(kind).flip();
      assertThrows(IOException.class, () -> link.ask(unknown, Patience.MILLIS));
    }
  }

  /** A block on the way was lost: where a lane begins anew, so does what it keeps. */
  @Test
  void aLaneThatMissesAValueEnds() throws Exception {
    Link link = connect();
    Lease lease = new Lease(LENDER, link, take(link));
    try (Batch large = new Batch(4, new Length(), length)) {
      byte[] value = new byte[2000];
      large.argument(row -> value);
      CallOnDevice begun = large.begin();
      block(lease, begun, 0, 2); // is not sent
      Answer nothing = new Answer(BlockMessage.LEFT, 0, true);
      assertEquals(nothing, soon(run(link, block(lease, begun, 2, 4))));
      Lease next = new Lease(LENDER, link, take(link));
      assertEquals(
          new Answer(BlockMessage.DONE, 2, true), soon(run(link, block(next, begun, 0, 2))));
      int whole = block(new Lease(LENDER, link, 0), begun, 2, 4).remaining();
      ByteBuffer block = block(next, begun, 2, 4);
      assertEquals(whole - 2000, block.remaining());
      assertEquals(new Answer(BlockMessage.DONE, 2, true), soon(run(link, block)));
    }
  }

  /** Its copy of the function may have half of its state. */
  @Test
  void whatHasFailedIsAskedNothingMore() throws Exception {
    HalfMade half = new HalfMade();
    UdfCall numbered = numbered("half", half, DataTypes.LongType);
    Link link = connect();
    Lease lease = new Lease(LENDER, link, take(link));
    try (Batch rows = new Batch(5, half, numbered)) {
      rows.argument(row -> (long) row);
      CallOnDevice begun = rows.begin();
      for (int i = 0; i < 2; i++) {
        Answer answer = soon(run(link, block(lease, begun, 0, 5)));
        assertEquals(new Answer(BlockMessage.FAILED, 0, true), answer);
        assertEquals(new Failure(1, numbered.number()), failure);
        assertTrue(
            reason.contains("half(0): java.lang.IllegalStateException: there is no table"), reason);
      }
    }
  }

  /** And no lane holds a core until it knows what to compute. */
  @Test
  void oneLaneAsksTheDriverForAllAndHoldsNoCoreMeanwhile() throws Exception {
    tells = new CountDownLatch(1);
    Link link = connect();
    CompletableFuture<Answer> first = run(link, block(take(link), 0, 5));
    CompletableFuture<Answer> second = run(link, block(take(link), 0, 5));
    PeerRig.await("both lanes", () -> waiting() == 2);
    assertEquals(1, wants.get());
    assertEquals(PeerRig.CORES, lender.idleCores());
    tells.countDown();
    assertEquals(new Answer(BlockMessage.DONE, 5, true), soon(first));
    assertEquals(new Answer(BlockMessage.DONE, 5, true), soon(second));
    assertEquals(1, wants.get());
  }

  /** Threads whose lane waits for a function. */
  private static long waiting() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().startsWith("gpusched-guest-"))
        .filter(
            thread ->
                Arrays.stream(thread.getValue())
                    .anyMatch(frame -> frame.getMethodName().equals("shared")))
        .filter(thread -> thread.getKey().getState() == Thread.State.WAITING)
        .count();
  }

  @Test
  void aDriverThatDoesNotAnswerIsAskedAgain() throws Exception {
    isDeaf = true;
    Link link = connect();
    Answer nothing = new Answer(BlockMessage.LEFT, 0, true);
    assertEquals(nothing, soon(run(link, block(take(link), 0, 5))));
    isDeaf = false;
    Answer five = new Answer(BlockMessage.DONE, 5, true);
    assertEquals(five, soon(run(link, block(take(link), 0, 5))));
    assertEquals(2, wants.get());
  }

  /** Spark would have it wait for the task. */
  @Test
  void aLaneDoesNotWaitForMemoryOfTasks() throws Exception {
    Link link = connect();
    int lane = take(link);
    lender.takeMemory();
    assertEquals(new Answer(BlockMessage.LEFT, 0, true), soon(run(link, block(lane, 0, 5))));
    lender.giveMemoryBack();
    Answer five = new Answer(BlockMessage.DONE, 5, true);
    assertEquals(five, soon(run(link, block(take(link), 0, 5))));
  }

  /** However many cores it lends: to Spark, they are one task. */
  @Test
  void aTaskOfTheLenderMayHaveHalfOfTheMemory() throws Exception {
    Link link = connect();
    CompletableFuture<Answer> first = run(link, block(take(link), 0, ROWS));
    CompletableFuture<Answer> second = run(link, block(take(link), 0, ROWS));
    PeerRig.await("two lanes' first rows", () -> Gated.CALLS.get() == 2 * Gated.GATE);
    double part = lender.takeMemory();
    assertTrue(part > 0.45, () -> "a part of " + part);
    lender.giveMemoryBack();
    Gated.open.countDown();
    assertEquals(new Answer(BlockMessage.DONE, ROWS, true), soon(first));
    assertEquals(new Answer(BlockMessage.DONE, ROWS, true), soon(second));
  }

  /** What one lane gives back is its own. */
  @Test
  void aLaneThatEndsLeavesOthersTheirMemory() throws Exception {
    Link link = connect();
    CompletableFuture<Answer> first = run(link, block(take(link), 0, ROWS));
    assertTrue(Gated.atGate.await(Patience.SECONDS, TimeUnit.SECONDS));
    long held = lender.guestBytes();
    assertTrue(held > 0);
    int other = take(link);
    assertEquals(new Answer(BlockMessage.DONE, 5, true), soon(run(link, block(other, 0, 5))));
    link.send(Message.GIVE.begin(4).putInt(other).flip());
    PeerRig.await("lane", () -> takes(link));
    assertEquals(held, lender.guestBytes());
    Gated.open.countDown();
    assertEquals(new Answer(BlockMessage.DONE, ROWS, true), soon(first));
  }

  /** One that it has not read, as its queue was full: the next one's numbers are others to it. */
  @Test
  void aLaneThatHasNotReadABlockTakesNoValueForAnother() throws Exception {
    Link link = connect();
    Lease lease = new Lease(LENDER, link, take(link));
    try (Batch large = new Batch(4, new Length(), length)) {
      byte[][] values = {new byte[2000], new byte[3000]};
      large.argument(row -> values[row == 1 ? 1 : 0]);
      CallOnDevice begun = large.begin();
      block(lease, begun, 0, 1); // is not sent
      Answer nothing = new Answer(BlockMessage.LEFT, 0, true);
      assertEquals(nothing, soon(run(link, block(lease, begun, 1, 3))));
    }
  }

  @Test
  void aBorrowerThatIsGoneKeepsNoCore() throws Exception {
    Network station = network.join();
    station.begin(new Deaf());
    Link link = station.to(LENDER);
    CompletableFuture<Answer> unused = run(link, block(take(link), 0, ROWS));
    assertTrue(Gated.atGate.await(Patience.SECONDS, TimeUnit.SECONDS));
    station.close();
    Link other = connect();
    take(other); // the lender has heard of the end
    Gated.open.countDown();
    PeerRig.await("lanes", () -> takes(other));
    assertTrue(Gated.CALLS.get() < ROWS, "rows that nobody wants");
  }

  /** Hears nothing. */
  private static final class Deaf implements Inbox {
    @Override
    public void receive(Link from, ByteBuffer message) {}

    @Override
    public void receive(Link from, ByteBuffer message, RpcResponseCallback answer) {}

    @Override
    public void gone(Link link) {}
  }
}
