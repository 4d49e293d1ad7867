package io.github.sparkgpusched.schedule;

/** What those who compute the rows of jobs ask of the scheduler. Thread-safe. */
interface Crew {
  /**
   * Stops a job; whoever is the first to do so interrupts the helpers inside.
   *
   * @return true for the first
   */
  boolean stop(Job job, Throwable reason);

  /** Rows can be claimed again: whoever waits for some is woken. */
  void rowsHandedBack(Job job);

  /**
   * Wakes a helper if a core is idle and this job has work for it. One volatile read if none is.
   */
  void wakeFor(Job job);

  /** True if another task has had less device time than this job's by a turn, and needs help. */
  boolean hasMoreRight(Job job);

  /** Who uses how many of the executor's cores. */
  CoreBudget budget();
}
