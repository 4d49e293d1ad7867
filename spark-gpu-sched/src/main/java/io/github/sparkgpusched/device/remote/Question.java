package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.device.SharedCalls;
import java.io.Serializable;
import java.util.List;

/** What an executor asks the driver, over Spark's own messages. */
public sealed interface Question extends Serializable {
  /** Whether it is to take part. Answered by the application's secret; null if not. */
  record Join(String executorId) implements Question {}

  /** Who has idle cores for it. Answered by a {@link Peers}. */
  record Seek(Peer borrower) implements Question {}

  /** Who wants its idle cores. Answered by a {@link Peers}. */
  record Offer(Peer lender) implements Question {}

  /** A call by its number. Answered by a {@link SharedCalls.Shared}; null if there is none. */
  record Want(long number) implements Question {}

  /** An answer. */
  record Peers(List<Peer> peers) implements Serializable {
    public Peers {
      peers = List.copyOf(peers);
    }
  }
}
