package io.github.sparkgpusched.it.queries;

/** What comes in the middle of a query, at a call of {@link Sometimes}. */
enum QueryFault {
  /** The call throws, so that Spark runs its task again. */
  THROWS,
  /** Spark kills the task, and interrupts its thread or not, and runs it again. */
  TASK_KILLED,
  /** Somebody cancels the query, and asks again. */
  CANCELLED
}
