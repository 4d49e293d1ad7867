package io.github.sparkgpusched.it.udfs;

/**
 * Errors that are hard to handle. One that is its own cause is not among them: with it a task of
 * plain Spark ends by a StackOverflowError in {@code CausedBy}, of which the driver hears nothing,
 * and the query hangs.
 */
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
}
