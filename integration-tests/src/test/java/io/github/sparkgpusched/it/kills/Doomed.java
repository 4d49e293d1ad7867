package io.github.sparkgpusched.it.kills;

import io.github.sparkgpusched.it.testing.TestUdf1;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives its argument plus one. At some rows, once each, it has its task killed, and goes on when
 * that was asked for.
 */
final class Doomed implements TestUdf1<Long, Long> {
  private static final long serialVersionUID = 1L;

  /** What is done at rows to come; local mode shares statics with tasks. */
  static final Map<Long, Act> AT = new ConcurrentHashMap<>();

  interface Act {
    void run() throws InterruptedException;
  }

  @Override
  public Long call(Long value) throws Exception {
    Act act = AT.remove(value);
    if (act != null) {
      act.run();
    }
    return value + 1;
  }
}
