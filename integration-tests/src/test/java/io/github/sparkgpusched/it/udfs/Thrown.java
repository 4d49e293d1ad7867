package io.github.sparkgpusched.it.udfs;

/** Errors that are hard to handle. */
final class Thrown {
  private Thrown() {}

  /** It has a part that is not serializable. */
  static final class Unsent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // that is the point
    private final Object part = new Object();

    Unsent(String message) {
      super(message);
    }

    Object part() {
      return part;
    }
  }

  /** It has no words: who asks for them gets another error. */
  static final class Untold extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("no message");
    }
  }

  /** The cause of its cause is itself. */
  static RuntimeException circle(String message) {
    RuntimeException first = new IllegalStateException(message);
    first.initCause(new IllegalArgumentException(message, first));
    return first;
  }
}
