package io.github.sparkgpusched.jobs;

/** The job ran and its result is not what it must be. The message explains it to the user. */
final class JobFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobFailedException(String message) {
    super(message);
  }
}
