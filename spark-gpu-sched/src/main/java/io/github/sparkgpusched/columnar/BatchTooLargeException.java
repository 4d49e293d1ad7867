package io.github.sparkgpusched.columnar;

/** Not even the smallest batch fits into the memory that Spark grants the task. */
public final class BatchTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BatchTooLargeException(String what, long requestedBytes) {
    super(
        "Spark did not grant "
            + requestedBytes
            + " bytes of execution memory for "
            + what
            + ": lower spark.gpusched.batch.rows, or raise spark.executor.memory");
  }
}
