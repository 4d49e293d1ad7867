package io.github.sparkgpusched.schedule;

/**
 * Something that computes ranges of rows, as the scheduler sees it: a name and a place in the load
 * table.
 */
public interface Device {
  /** Stable name, unique in its executor, such as {@code host:0}. */
  String name();
}
