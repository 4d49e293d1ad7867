package io.github.sparkgpusched.sql.exec;

import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** What a child gives. Once it has ended it is not asked again: sources may rely on that. */
final class UntilEnd<T> extends AbstractIterator<T> {
  private final Iterator<T> child;
  private boolean ended;

  UntilEnd(Iterator<T> child) {
    this.child = child;
  }

  @Override
  public boolean hasNext() {
    ended = ended || !child.hasNext();
    return !ended;
  }

  @Override
  public T next() {
    return child.next();
  }
}
