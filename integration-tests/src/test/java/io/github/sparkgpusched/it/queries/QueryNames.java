package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import java.util.List;
import java.util.Map;

/** Tables' columns, and names that no other part of a query has. One thread's. */
final class QueryNames {
  private final Map<String, List<Column>> tables;
  private int given;

  /**
   * @param tables columns by name
   */
  QueryNames(Map<String, List<Column>> tables) {
    this.tables = tables;
  }

  List<String> tables() {
    return List.copyOf(tables.keySet());
  }

  /** A name that begins so. */
  String next(String prefix) {
    return prefix + given++;
  }

  /** A table's columns under a name of its own. */
  List<Column> table(String prefix, String table) {
    return under(next(prefix), tables.get(table));
  }

  /** Columns of something that has a name. */
  static List<Column> under(String name, List<Column> columns) {
    return columns.stream().map(c -> new Column(name + "." + c.name(), c.type())).toList();
  }

  /** The name that columns are under. */
  static String qualifier(List<Column> columns) {
    String name = columns.get(0).name();
    return name.substring(0, name.indexOf('.'));
  }
}
