package io.github.sparkgpusched.device.remote;

/**
 * A core of another executor that is ours for a while.
 *
 * @param lane its number there
 * @param launchNanos what a block's journey adds to its time, by what the question for the core
 *     took
 */
record Lease(Peer lender, Link link, int lane, long launchNanos) {
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
