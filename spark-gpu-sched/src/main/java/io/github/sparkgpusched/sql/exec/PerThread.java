package io.github.sparkgpusched.sql.exec;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * One value for each thread that asks, made by that thread when it first does. Thread-safe. Making
 * one may take long, wait for other threads that make theirs, and call the user's code: nothing is
 * locked meanwhile.
 */
final class PerThread<T> {
  /** A thread puts in its own alone, so nobody else's is ever replaced. */
  private final Map<Thread, T> values = new ConcurrentHashMap<>();

  private final Supplier<T> maker;

  /**
   * No values yet.
   *
   * @param maker called on the thread that asks; what it throws the thread gets, and asks again
   */
  PerThread(Supplier<T> maker) {
    this.maker = maker;
  }

  /** The calling thread's. */
  T get() {
    Thread me = Thread.currentThread();
    T mine = values.get(me);
    if (mine == null) {
      mine = maker.get();
      values.put(me, mine);
    }
    return mine;
  }

  /** All threads'. */
  Collection<T> all() {
    return values.values();
  }
}
