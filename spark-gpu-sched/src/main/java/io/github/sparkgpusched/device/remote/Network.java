package io.github.sparkgpusched.device.remote;

import java.io.IOException;

/** How an executor reaches others and is reached. Thread-safe; whoever makes it closes it. */
interface Network extends AutoCloseable {
  /** What others send is handed over from now on. */
  void begin(Inbox inbox);

  /** Where this executor listens. */
  int port();

  /**
   * The connection with another executor, which may be there already.
   *
   * @throws IOException if it cannot be reached
   */
  Link to(Peer peer) throws IOException, InterruptedException;

  @Override
  void close();
}
