package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import io.github.sparkgpusched.schedule.Launcher;
import io.github.sparkgpusched.testing.LogLines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a lender is sent of large values, when it keeps them and when that is not known; and what
 * becomes of one that answers nothing, or not what was asked.
 */
class RemoteLauncherTest {
  private static final int VALUE_BYTES = 20_000;
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int ROWS = 100;

  /** The number of the call. */
  private static final long CALL = 5;

  /** Never called. */
  public static final class None implements UDF1<byte[], Long>, GpuUdf {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call(byte[] value) {
      throw new AssertionError();
    }
  }

  /** Keeps what it is to send. */
  private static final class Recording implements Link {
    final List<ByteBuffer> sent = new ArrayList<>();
    final List<RpcResponseCallback> answers = new ArrayList<>();
    RpcResponseCallback answer;

    /** Cores that were given back. */
    int given;

    @Override
    public boolean isActive() {
      return true;
    }

    @Override
    public void send(ByteBuffer message) {
      given += Message.of(message) == Message.GIVE ? 1 : 0;
    }

    @Override
    public void ask(ByteBuffer message, RpcResponseCallback callback) {
      sent.add(message);
      answer = callback;
      answers.add(callback);
    }

    /** Whoever asks for a core has one. */
    @Override
    public ByteBuffer ask(ByteBuffer message, long timeoutMillis) {
      return Message.buffer(4).putInt(1).flip();
    }

    ByteBuffer last() {
      return sent.get(sent.size() - 1);
    }

    /** How many large values the last message has. */
    int values() {
      return last().remaining() / VALUE_BYTES;
    }

    /** The number of the batch of the last message. */
    long batch() {
      return last().getLong(last().position() + 1 + 4 + 8);
    }
  }

  /** There is one other executor. */
  private record ToOne(Link link) implements Network {
    @Override
    public void begin(Inbox inbox) {}

    @Override
    public int port() {
      return 1;
    }

    @Override
    public Link to(Peer peer) {
      return link;
    }

    @Override
    public void close() {}
  }

  private static final Peer LENDER = new Peer("1", "host", 7, 1);

  private long now;
  private final Recording link = new Recording();
  private final Borrower borrower =
      new Borrower("0", new ToOne(link), new BorrowLimits(1, BLOCK_BYTES), () -> now, () -> {});
  private final RemoteDevice device = borrower.devices().get(0);
  private final Batch batch =
      new Batch(
          ROWS,
          new None(),
          new UdfCall("none", List.of(DataTypes.BinaryType), DataTypes.LongType, CALL));
  private CallOnDevice call;
  private Launcher launcher;

  @BeforeEach
  void bind() {
    byte[][] values = new byte[5][VALUE_BYTES];
    batch.argument(row -> values[row % values.length]);
    call = batch.begin();
    device.bind(new Lease(LENDER, link, 1), 0);
    launcher = device.launcher(List.of(call), null);
  }

  @AfterEach
  void close() {
    batch.close();
  }

  private Launch sent(long from, long until) throws Exception {
    Launch launch = launcher.stage(from, until);
    launch.start();
    return launch;
  }

  /** As values of another batch than the one before. */
  private void assertAllAreSentAnew(long before) throws Exception {
    sent(0, 3);
    assertEquals(3, link.values());
    assertNotEquals(before, link.batch());
  }

  private static ByteBuffer done(int rows) {
    ByteBuffer answer = Message.buffer(BlockMessage.ANSWER_BYTES + 1 + rows * (1 + Long.BYTES));
    answer.put(BlockMessage.DONE).putInt(rows).putLong(1).putLong(2);
    return answer.position(answer.limit()).flip();
  }

  private static ByteBuffer cannot() {
    ByteBuffer answer = Message.buffer(9).put(BlockMessage.CANNOT);
    Message.putText(answer, Message.utf8("none"));
    return answer.flip();
  }

  private static ByteBuffer failed(int rows, int tried, long number) {
    ByteBuffer done = done(rows);
    ByteBuffer answer = Message.buffer(done.remaining() + 4 + 8 + 4 + 4).put(done);
    answer.put(0, BlockMessage.FAILED).putInt(tried).putLong(number);
    Message.putText(answer, Message.utf8("none"));
    return answer.flip();
  }

  @Test
  void aValueIsSentOnce() throws Exception {
    sent(0, 2);
    assertEquals(2, link.values());
    sent(0, 3);
    assertEquals(1, link.values());
    sent(0, 3);
    assertEquals(0, link.values());
  }

  /** Three values of a block fit: its first rows go, and then more, and then all. */
  @Test
  void asManyRowsGoAsFit() throws Exception {
    Launch first = sent(0, ROWS);
    assertEquals(3, link.values());
    link.answer.onSuccess(done(3));
    assertTrue(first.isDone());
    assertEquals(3, first.reached());
    Launch second = sent(3, ROWS);
    assertEquals(2, link.values());
    link.answer.onSuccess(done(ROWS - 3));
    assertTrue(second.isDone());
    assertEquals(ROWS, second.reached());
  }

  @Test
  void anotherJobsValuesAreOthers() throws Exception {
    sent(0, 3);
    long before = link.batch();
    launcher = device.launcher(List.of(call), null);
    assertAllAreSentAnew(before);
  }

  @Test
  void whatWasNeverSentIsNotKept() throws Exception {
    sent(0, 1);
    long before = link.batch();
    launcher.stage(1, 3).close();
    assertAllAreSentAnew(before);
  }

  @Test
  void whoRefusedABlockMayHaveKeptNothingOfIt() throws Exception {
    Launch refused = sent(0, 3);
    long before = link.batch();
    link.answer.onSuccess(cannot());
    assertThrows(JobRefusedException.class, refused::isDone);
    assertAllAreSentAnew(before);
  }

  @Test
  void anotherLaneHasNothing() throws Exception {
    sent(0, 3);
    device.unbind(device.lease());
    device.bind(new Lease(LENDER, link, 2), 0);
    sent(0, 3);
    assertEquals(3, link.values());
  }

  /** It may need what is there in this executor alone. */
  @Test
  void whatFailsElsewhereIsLeftToItsTaskAndSoonStays() throws Exception {
    Launch some = sent(0, 3);
    link.answer.onSuccess(failed(1, 1, CALL));
    assertTrue(some.isDone());
    assertEquals(2, some.reached());
    assertTrue(some.computeNanos() < 0, "it says nothing of rows that do not fail");
    List<Long> left = new ArrayList<>();
    some.publish(0, 2, (from, until) -> left.addAll(List.of(from, until)));
    assertEquals(List.of(1L, 2L), left);
    Launch none = sent(2, 3);
    link.answer.onSuccess(failed(0, 0, CALL));
    assertTrue(none.isDone());
    assertEquals(2, none.reached());
    Launch another = sent(2, 3);
    link.answer.onSuccess(failed(0, 1, CALL + 1));
    assertTrue(another.isDone());
    assertTrue(borrower.whyNot(CALL).isEmpty());
    Launch third = sent(2, 3);
    link.answer.onSuccess(failed(0, 1, CALL));
    assertThrows(JobRefusedException.class, third::isDone);
    assertEquals("it fails on other executors: none", borrower.whyNot(CALL).orElseThrow());
    assertTrue(device.isPresent(), "for other functions");
  }

  @Test
  void aFailureOfMoreRowsThanThereAreIsNoAnswer() throws Exception {
    Launch launch = sent(0, 3);
    link.answer.onSuccess(failed(1, 3, CALL));
    assertTrue(launch.isDone());
    assertEquals(0, launch.reached());
    assertTrue(device.isFree());
  }

  private static ByteBuffer tooShort() {
    return Message.buffer(2).put(BlockMessage.DONE).put((byte) 1).flip();
  }

  /** Its lane may wait for blocks, though it is not used any more. */
  @Test
  void whoCanBeReachedIsToldThatItsCoreIsNotUsedAnyMore() throws Exception {
    List<Runnable> ends =
        List.of(
            () -> link.answer.onSuccess(Lane.left()),
            () -> link.answer.onSuccess(tooShort()),
            () -> link.answer.onFailure(new IOException("refused")),
            () -> now += TimeUnit.SECONDS.toNanos(21));
    for (int i = 0; i < ends.size(); i++) {
      Launch launch = sent(0, 1);
      ends.get(i).run();
      assertTrue(launch.isDone());
      assertTrue(device.isFree());
      assertEquals(i + 1, link.given);
      device.bind(new Lease(LENDER, link, 2 + i), 0);
    }
  }

  /** Blocks whose answers come later: {@link Recording#answers}. */
  private List<Launch> inFlight(int count) throws Exception {
    List<Launch> launches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      launches.add(sent(i, i + 1));
    }
    return launches;
  }

  /** Not of each block, and without the stack of a connection that has ended. */
  @Test
  void whoIsLostIsNamedOnce() throws Exception {
    String line =
        "executor 1 does not answer (java.io.IOException: cut); its rows are computed here";
    try (LogLines log = new LogLines(Borrower.class)) {
      List<Launch> launches = inFlight(2);
      link.answers.forEach(answer -> answer.onFailure(new IOException("cut")));
      for (Launch launch : launches) {
        assertTrue(launch.isDone());
      }
      assertEquals(List.of(line), log.warnings());
      device.bind(new Lease(LENDER, link, 2), 0); // it had been asked for a core before
      Launch soon = sent(0, 1);
      link.answer.onFailure(new IOException("cut"));
      assertTrue(soon.isDone());
      assertEquals(List.of(line), log.warnings());
      now += TimeUnit.SECONDS.toNanos(2);
      device.bind(new Lease(LENDER, link, 3), 0);
      List<Launch> later = inFlight(1);
      device.unbind(device.lease());
      link.answer.onFailure(new IOException("cut"));
      assertTrue(later.get(0).isDone());
      assertEquals(List.of(line), log.warnings(), "a core that was given back");
      now += TimeUnit.SECONDS.toNanos(2);
      device.bind(new Lease(LENDER, link, 4), 0);
      Launch again = sent(0, 1);
      link.answer.onFailure(new IOException("cut"));
      assertTrue(again.isDone());
      assertEquals(List.of(line, line), log.warnings());
    }
  }

  /** As where its owner has given it up: it computes nothing any more. */
  @Test
  void aDeviceThatIsClosedGetsNoCore() {
    device.close();
    assertFalse(device.isFree());
    device.bind(new Lease(LENDER, link, 1), 0); // found free before
    assertFalse(device.isPresent());
  }

  /** Others have computed the rows, as they may be computed twice, and their job is over. */
  private void sentAndNotAwaited(int blocks) throws Exception {
    for (int i = 0; i < blocks; i++) {
      sent(i, i + 1).close();
    }
  }

  @Test
  void whoDoesNotAnswerGetsFewBlocks() throws Exception {
    sentAndNotAwaited(3);
    assertTrue(device.isPresent());
    sentAndNotAwaited(1);
    assertFalse(device.isPresent());
    link.answer.onSuccess(Lane.left());
    assertTrue(device.isPresent());
    sentAndNotAwaited(1);
    assertFalse(device.isPresent());
    link.answer.onFailure(new IOException("none"));
    assertTrue(device.isPresent());
  }

  @Test
  void whoIsSilentIsLeftThoughNobodyWaits() throws Exception {
    sentAndNotAwaited(1);
    now += TimeUnit.SECONDS.toNanos(20);
    assertTrue(device.rest());
    assertFalse(device.isFree());
    now += 1;
    assertFalse(device.rest());
    assertTrue(device.isFree());
    assertFalse(borrower.take(LENDER));
    now += TimeUnit.SECONDS.toNanos(31);
    assertTrue(borrower.take(LENDER));
  }

  @Test
  void whoHasAnsweredAllIsGivenBackWhenItIsIdle() throws Exception {
    sentAndNotAwaited(1);
    now += TimeUnit.SECONDS.toNanos(1);
    assertTrue(device.rest());
    assertEquals(0, link.given);
    link.answer.onSuccess(done(1));
    assertFalse(device.rest());
    assertEquals(1, link.given);
    assertTrue(borrower.take(LENDER));
  }

  @Test
  void whoHasNotAnsweredAnEarlierBlockIsSilent() throws Exception {
    sentAndNotAwaited(1);
    now += TimeUnit.SECONDS.toNanos(11);
    Launch awaited = sent(1, 2);
    assertFalse(awaited.isDone());
    now += TimeUnit.SECONDS.toNanos(10);
    assertTrue(awaited.isDone());
    assertEquals(1, awaited.reached());
    assertTrue(device.isFree());
    assertFalse(borrower.take(LENDER));
  }

  /** A row may have ended it, and would end whoever got it next. */
  @Test
  void whatALenderComputedWhenItWasLostStays() throws Exception {
    List<Launch> launches = inFlight(2);
    link.answers.get(1).onFailure(new IOException("cut")); // in any order
    link.answers.get(0).onFailure(new IOException("cut"));
    assertTrue(launches.get(0).isDone() && launches.get(1).isDone());
    assertEquals(1, launches.get(0).reached());
    assertEquals(1, launches.get(1).reached(), "what it had not begun is dealt anew");
    List<Long> left = new ArrayList<>();
    launches.get(0).publish(0, 1, (from, until) -> left.addAll(List.of(from, until)));
    assertEquals(List.of(0L, 1L), left);
  }

  @Test
  void whatASilentLenderComputesStays() throws Exception {
    List<Launch> launches = inFlight(2);
    now += TimeUnit.SECONDS.toNanos(21);
    assertTrue(launches.get(0).isDone() && launches.get(1).isDone());
    assertEquals(1, launches.get(0).reached());
    assertEquals(1, launches.get(1).reached(), "what it has not begun is dealt anew");
  }

  /** It is well: whoever wants a core of it next gets one. */
  @Test
  void whoLeavesABlockIsAskedAgain() throws Exception {
    Launch left = sent(10, 12);
    link.answer.onSuccess(Lane.left());
    assertTrue(left.isDone());
    assertEquals(10, left.reached());
    assertTrue(device.isFree());
    assertTrue(borrower.take(LENDER));
  }
}
