package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** Lenders that cannot be reached, and offers that are old. */
class BorrowerTest {
  /** Nobody can be reached, which takes a while to find out. */
  private final class Cut implements Network {
    @Override
    public void begin(Inbox inbox) {}

    @Override
    public int port() {
      return 1;
    }

    @Override
    public Link to(Peer peer) throws IOException {
      tried++;
      now += takesNanos;
      throw new IOException("nobody is there");
    }

    @Override
    public void close() {}
  }

  private static final Peer LENDER = new Peer("1", "host", 7, 1);

  private long now;
  private long takesNanos;
  private int tried;
  private final Borrower borrower =
      new Borrower("0", new Cut(), new BorrowLimits(1, 1 << 20), () -> now, () -> {});

  private int triesAfter(long seconds) throws InterruptedException {
    now += TimeUnit.SECONDS.toNanos(seconds);
    assertFalse(borrower.take(LENDER));
    return tried;
  }

  @Test
  void whoCannotBeReachedIsNotTriedAtOnceAgain() throws Exception {
    assertEquals(1, triesAfter(0));
    assertEquals(1, triesAfter(0));
    assertEquals(2, triesAfter(2));
  }

  @Test
  void whoDoesNotAnswerIsNotTriedForLonger() throws Exception {
    takesNanos = TimeUnit.SECONDS.toNanos(5);
    assertEquals(1, triesAfter(0));
    assertEquals(1, triesAfter(20));
    assertEquals(2, triesAfter(20));
  }

  private void offer() {
    byte[] text = Message.utf8("1");
    ByteBuffer offer = Message.buffer(32);
    Message.putText(offer, text);
    Message.putText(offer, text);
    borrower.offered(offer.putInt(7).putInt(1).flip());
  }

  @Test
  void oldOffersAreNotTaken() throws Exception {
    offer();
    now += TimeUnit.SECONDS.toNanos(4);
    assertTrue(borrower.takeOffers());
    assertEquals(0, tried);
    offer();
    now += TimeUnit.SECONDS.toNanos(2);
    assertFalse(borrower.takeOffers());
    assertEquals(1, tried);
  }

  @Test
  void connectionsAreMadeInSecondsUnlessTheUserSaysOtherwise() {
    String key = "spark.rpc.io.connectionCreationTimeout";
    SparkConf conf = new SparkConf(false);
    assertEquals("5s", SparkNetwork.impatient(conf).get(key));
    assertFalse(conf.contains(key));
    assertEquals("50s", SparkNetwork.impatient(conf.set(key, "50s")).get(key));
  }
}
