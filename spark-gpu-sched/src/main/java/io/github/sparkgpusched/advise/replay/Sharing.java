package io.github.sparkgpusched.advise.replay;

/** Who takes over rows of a task. */
public enum Sharing {
  /** Nobody: plain Spark. */
  NONE,
  /** Idle cores of the same executor. */
  WITHIN,
  /** Idle cores of other executors, too. */
  ACROSS
}
