package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random conditions of rows, with subqueries among them. */
final class RandomConditions {
  private final SplittableRandom random;
  private final RandomExpressions expressions;
  private final QueryNames names;

  RandomConditions(SplittableRandom random, RandomExpressions expressions, QueryNames names) {
    this.random = random;
    this.expressions = expressions;
    this.names = names;
  }

  /** A number that a subquery finds for a row by a key, or null. */
  SqlNode found(List<Column> in) {
    List<Column> columns = names.table("s", "u");
    String table = "u as " + QueryNames.qualifier(columns);
    return SqlNode.of(
        "int",
        "(select max(",
        expressions.of("int", 2, columns),
        ") from " + table + " where " + QueryNames.qualifier(columns) + ".k = pmod(",
        expressions.of("int", 2, in),
        ", 9))");
  }

  SqlNode where(int depth, List<Column> in) {
    if (random.nextBoolean()) {
      return SqlNode.of(SqlNode.OPTIONAL);
    }
    SqlNode condition =
        depth > 1 && random.nextInt(4) == 0
            ? subquery(depth - 1, in)
            : expressions.condition(3, in);
    return SqlNode.of(SqlNode.OPTIONAL, " where ", condition);
  }

  private SqlNode subquery(int depth, List<Column> in) {
    List<Column> columns = names.table("s", "u");
    String table = "u as " + QueryNames.qualifier(columns);
    List<Column> both = new ArrayList<>(in);
    both.addAll(columns);
    SqlNode value = expressions.of("int", 2, in);
    SqlNode inside = expressions.of("int", 2, columns);
    return switch (random.nextInt(4)) {
      case 0 ->
          SqlNode.of(
              "boolean",
              "(",
              value,
              " in (select ",
              inside,
              " from " + table,
              where(depth, columns),
              "))");
      case 1 ->
          SqlNode.of(
              "boolean",
              "exists (select 1 from " + table + " where ",
              inside,
              " = ",
              value,
              SqlNode.of(SqlNode.OPTIONAL, " and ", expressions.condition(2, columns)),
              ")");
      case 2 ->
          SqlNode.of(
              "boolean",
              "not exists (select 1 from " + table + " where ",
              inside,
              " = ",
              value,
              SqlNode.of(SqlNode.OPTIONAL, " and ", expressions.condition(2, both)),
              ")");
      default ->
          SqlNode.of(
              "boolean",
              "(",
              value,
              " < (select max(",
              inside,
              ") from " + table,
              where(depth, columns),
              "))");
    };
  }
}
