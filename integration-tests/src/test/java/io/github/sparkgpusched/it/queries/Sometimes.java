package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.testing.TestUdf1;
import java.util.concurrent.atomic.AtomicLong;

/** A call whose n-th in a query does what a campaign says; all others give their argument. */
final class Sometimes implements TestUdf1<Long, Long> {
  private static final long serialVersionUID = 1L;

  /** How many calls there are to come before the one; local mode shares statics with tasks. */
  private static final AtomicLong LEFT = new AtomicLong(Long.MAX_VALUE);

  private static volatile Runnable fault;

  /** Sets what the n-th call from now on does, once. */
  static void at(long nth, Runnable what) {
    fault = what;
    LEFT.set(nth);
  }

  static void never() {
    LEFT.set(Long.MAX_VALUE);
  }

  /** True if the call has come. */
  static boolean happened() {
    return LEFT.get() <= 0;
  }

  @Override
  public Long call(Long value) {
    if (LEFT.decrementAndGet() == 0) {
      fault.run();
    }
    return value;
  }
}
