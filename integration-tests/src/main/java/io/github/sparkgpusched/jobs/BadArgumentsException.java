package io.github.sparkgpusched.jobs;

/** The job cannot start as it was called. The message is one line for the user. */
final class BadArgumentsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadArgumentsException(String message) {
    super(message);
  }
}
