package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.UdfPattern;
import io.github.sparkgpusched.testing.BareSpark;
import io.github.sparkgpusched.testing.Patience;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lender that lends cores and computes nothing, to a borrower whose rows may run twice. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(BareSpark.class)
class SilentLenderTest {
  private static final int ROWS = 8000;
  private static final int BATCHES = 40;
  private static final int MOST_BLOCKS = 4;

  @AfterEach
  void end() {
    SharedCalls.end();
  }

  /** Gives whoever asks a lane, and answers no block. */
  private static final class Silent implements Inbox {
    private final AtomicInteger lanes = new AtomicInteger();

    /** Blocks by lane. */
    final Map<Integer, Integer> blocks = new ConcurrentHashMap<>();

    @Override
    public void receive(Link from, ByteBuffer message) {}

    @Override
    public void receive(Link from, ByteBuffer message, RpcResponseCallback answer) {
      ByteBuffer in = Message.copy(message);
      if (Message.of(in) == Message.TAKE) {
        answer.onSuccess(Message.buffer(4).putInt(lanes.incrementAndGet()).flip());
      } else {
        blocks.merge(in.getInt(), 1, Integer::sum);
      }
    }

    @Override
    public void gone(Link link) {}
  }

  /** Its own device computes the rows that a lane has. */
  @Test
  void aLaneThatAnswersNothingGetsFewBlocks() throws Exception {
    Matchmaker matchmaker = new Matchmaker(SharedCalls.start());
    SharedRowsTest.Collatz udf = new SharedRowsTest.Collatz();
    UdfCall call =
        SharedCalls.numbered(
            new UdfCall("f", List.of(DataTypes.LongType), DataTypes.LongType),
            udf,
            new UdfPattern("f", udf),
            true);
    Silent silent = new Silent();
    try (Loopback network = new Loopback(1);
        Network station = network.join();
        PeerRig owner = new PeerRig("owner", network, matchmaker, new InPlaceDevice());
        Batch batch = new Batch(ROWS, udf, call)) {
      station.begin(silent);
      Peer lender = new Peer("lender", "here", station.port(), 1);
      batch.argument(row -> row * 31L);
      owner.taskStarted(PeerRig.CORES);
      long deadline = System.nanoTime() + Patience.NANOS;
      int since = 0;
      while (since < BATCHES) {
        assertTrue(System.nanoTime() < deadline, "nobody sends a block");
        matchmaker.answer(new Question.Offer(lender), System.nanoTime());
        owner.compute(batch);
        batch.check();
        since += silent.blocks.isEmpty() ? 0 : 1;
      }
      assertTrue(
          silent.blocks.values().stream().allMatch(blocks -> blocks <= MOST_BLOCKS),
          silent.blocks.toString());
      owner.taskEnded(PeerRig.CORES);
    }
  }
}
