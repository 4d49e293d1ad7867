package io.github.sparkgpusched.device.remote;

import org.apache.spark.network.client.TransportClient;

/**
 * A core of another executor that is ours for a while.
 *
 * @param lane its number there
 */
record Lease(Peer lender, TransportClient client, int lane) {
  /** Whether the lender can be reached. */
  boolean holds() {
    return client.isActive();
  }

  /** The core is not wanted any more. */
  void giveBack() {
    if (holds()) {
      client.send(Message.GIVE.begin(4).putInt(lane).flip());
    }
  }

  /** The rows of a block are not wanted any more. */
  void cancel(long block) {
    if (holds()) {
      client.send(Message.CANCEL.begin(12).putInt(lane).putLong(block).flip());
    }
  }
}
