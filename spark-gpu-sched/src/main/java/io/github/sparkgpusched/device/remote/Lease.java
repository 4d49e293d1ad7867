package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.columnar.SentValues;

/**
 * A core of another executor that is ours for a while. Any thread, but for what was sent, which is
 * the owner's.
 */
final class Lease {
  private final Peer lender;
  private final Link link;
  private final int lane;

  /** What the lane keeps of a batch's values. */
  private final SentValues sent = new SentValues();

  /** Of the launcher whose batch that is; 0: of none. */
  private long launcher;

  /** Goes up with each batch. */
  private long batch;

  /**
   * @param lane its number there
   */
  Lease(Peer lender, Link link, int lane) {
    this.lender = lender;
    this.link = link;
    this.lane = lane;
  }

  Peer lender() {
    return lender;
  }

  Link link() {
    return link;
  }

  int lane() {
    return lane;
  }

  /** What the lane keeps of the values of the batch of the last {@link #sentFor}. */
  SentValues sent() {
    return sent;
  }

  /** The number of that batch: the lane keeps values of one. */
  long batch() {
    return batch;
  }

  /** The same for a launcher's batch. Of another one than the last the lane keeps nothing. */
  SentValues sentFor(long number) {
    if (launcher != number) {
      launcher = number;
      batch++;
      sent.clear();
    }
    return sent;
  }

  /** A message may not have come: nothing is known of what the lane keeps. */
  void forgetSent() {
    launcher = 0;
  }

  /** Whether the lender can be reached. */
  boolean holds() {
    return link.isActive();
  }

  /** The core is not wanted any more. */
  void giveBack() {
    if (holds()) {
      link.send(Message.GIVE.begin(4).putInt(lane).flip());
    }
  }

  /** The rows of a block are not wanted any more. */
  void cancel(long block) {
    if (holds()) {
      link.send(Message.CANCEL.begin(12).putInt(lane).putLong(block).flip());
    }
  }
}
