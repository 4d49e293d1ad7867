package io.github.sparkgpusched.columnar;

/** A sender refers to a value that it has not sent, or that has not come. */
public final class UnknownValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnknownValueException(int number, int kept) {
    super("value " + number + " of " + kept + " that were kept");
  }
}
