package io.github.sparkgpusched.sql.exec;

import java.util.NoSuchElementException;
import scala.collection.AbstractIterator;

/** An iterator that makes its next element when it is asked whether there is one. */
abstract class ReadyIterator<T> extends AbstractIterator<T> {
  private T ready;

  /** Makes the next element; null if there is none. The one that was made last has been taken. */
  abstract T nextOrNull();

  @Override
  public final boolean hasNext() {
    if (ready == null) {
      ready = nextOrNull();
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
