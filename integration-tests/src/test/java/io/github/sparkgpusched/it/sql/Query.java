package io.github.sparkgpusched.it.sql;

import java.util.List;

/**
 * A query and what is to become of the calls in it.
 *
 * @param batched whether some call is batched
 * @param notBatched a piece of each line that says why a call is not
 */
record Query(String name, String sql, boolean batched, List<String> notBatched) {
  /** All calls are batched. */
  static Query batched(String name, String sql) {
    return new Query(name, sql, true, List.of());
  }

  /** No call is batched. */
  static Query rowWise(String name, String sql, String... reasons) {
    return new Query(name, sql, false, List.of(reasons));
  }

  /** Some calls are. */
  static Query mixed(String name, String sql, String... reasons) {
    return new Query(name, sql, true, List.of(reasons));
  }

  @Override
  public String toString() {
    return name;
  }
}
