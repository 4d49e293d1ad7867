package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a borrowed core says of its launches, and of the jobs that it is for. */
class RemoteDeviceTest {
  private static final Peer LENDER = new Peer("1", "host", 7, 1);

  private final RemoteDevice device =
      new RemoteDevice(0, new Borrower("0", null, new BorrowLimits(1, 1), () -> 0, () -> {}));

  private double launchMicros() {
    return device.spec().launchNanos() / 1e3;
  }

  private static long micros(int count) {
    return TimeUnit.MICROSECONDS.toNanos(count);
  }

  @Test
  void launchesBeginWithWhatTheQuestionTook() {
    assertEquals(500, launchMicros(), "there is no lender yet");
    device.bind(new Lease(LENDER, null, 1), micros(800));
    assertEquals(1000, launchMicros());
    device.bind(new Lease(LENDER, null, 2), micros(80_000));
    assertEquals(2000, launchMicros(), "the lender's code was not compiled yet");
    device.bind(new Lease(LENDER, null, 3), micros(1));
    assertEquals(50, launchMicros());
  }

  /** A lender that computes one may be taken for one that does not answer. */
  @Test
  void rowsThatTakeVeryLongStay() {
    assertTrue(device.isWorth(9e9, 1));
    assertFalse(device.isWorth(11e9, 1));
    assertTrue(device.isWorth(11e9, 2));
    assertFalse(device.isWorth(1e6, 1));
  }

  @Test
  void launchesAreLearnedFromEachBlock() {
    device.bind(new Lease(LENDER, null, 1), micros(80_000));
    device.travelled(micros(80));
    assertEquals(2000 - 1900 / 8.0, launchMicros(), 0.1);
    for (int block = 0; block < 50; block++) {
      device.travelled(micros(80));
    }
    assertTrue(launchMicros() > 99 && launchMicros() < 105, launchMicros() + " us");
  }
}
