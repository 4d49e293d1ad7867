package io.github.sparkgpusched.sql.exec;

import java.util.NoSuchElementException;
import scala.collection.AbstractIterator;

/**
 * An iterator that makes its next element when it is asked whether there is one. Nodes stand above
 * each other, and each may ask twice: one that has ended remembers it, or a chain of them would ask
 * the last one once for each way through.
 */
abstract class ReadyIterator<T> extends AbstractIterator<T> {
  private T ready;
  private boolean ended;

  /** Makes the next element; null if there is none. The one that was made last has been taken. */
  abstract T nextOrNull();

  @Override
  public final boolean hasNext() {
    if (ready == null && !ended) {
      ready = nextOrNull();
      ended = ready == null;
    }
    return ready != null;
  }

  @Override
  public final T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    T taken = ready;
    ready = null;
    return taken;
  }
}
