package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What random queries read from: tables, rows, queries, and what is made of these. */
final class RandomSources {
  private static final String SOURCE = "source";
  private static final String EXPLODED = "exploded";

  private final SplittableRandom random;
  private final RandomExpressions expressions;
  private final QueryNames names;
  private final RandomQueries queries;

  RandomSources(
      SplittableRandom random,
      RandomExpressions expressions,
      QueryNames names,
      RandomQueries queries) {
    this.random = random;
    this.expressions = expressions;
    this.names = names;
    this.queries = queries;
  }

  TypedSql next(int depth) {
    return switch (depth <= 0 ? random.nextInt(4) : random.nextInt(13)) {
      case 0, 1, 2 -> table();
      case 3 -> random.nextInt(3) == 0 ? given() : table();
      case 4, 5 -> inParentheses(queries.query(depth - 1));
      case 6 -> inParentheses(queries.someOf(queries.query(depth - 1)));
      case 7 -> exploded(depth - 1);
      case 8 -> twice(queries.query(depth - 2));
      case 9 -> lateral(depth - 1);
      case 10 -> ofFew(depth - 1);
      default -> join(depth - 1);
    };
  }

  /** One that others may be joined to: SQL has lateral views behind all joins. */
  private TypedSql joined(int depth) {
    TypedSql source = next(depth);
    while (source.node().kind().equals(EXPLODED)) {
      source = next(depth);
    }
    return source;
  }

  private TypedSql table() {
    String table = expressions.one(names.tables());
    List<Column> columns = names.table(table, table);
    return new TypedSql(
        SqlNode.of(SOURCE, table + " as " + QueryNames.qualifier(columns)), columns);
  }

  /** Rows that the query gives itself: Spark computes some calls of them as it plans. */
  private TypedSql given() {
    String name = names.next("g");
    if (random.nextBoolean()) {
      return new TypedSql(
          SqlNode.of(SOURCE, "range(0, 90, 1, 3) as " + name),
          QueryNames.under(name, List.of(new Column("id", "bigint"))));
    }
    return new TypedSql(
        SqlNode.of(
            SOURCE,
            "(values (1, 2.5D, 'a'), (null, 7D, null), (3, null, 'b')) as " + name + "(i, x, s)"),
        QueryNames.under(
            name,
            List.of(new Column("i", "int"), new Column("x", "double"), new Column("s", "string"))));
  }

  private TypedSql inParentheses(TypedSql query) {
    String name = names.next("q");
    return new TypedSql(
        SqlNode.of(SOURCE, "(", query.node(), ") as " + name),
        QueryNames.under(name, query.columns()));
  }

  /** A query that has a name, and is read twice. */
  private TypedSql twice(TypedSql query) {
    String shared = names.next("w");
    String name = names.next("q");
    return new TypedSql(
        SqlNode.of(
            SOURCE,
            "(with " + shared + " as (",
            query.node(),
            ") select * from " + shared + " union all select * from " + shared + ") as " + name),
        QueryNames.under(name, query.columns()));
  }

  private TypedSql lateral(int depth) {
    TypedSql source = joined(depth);
    String name = names.next("l");
    String type = expressions.anyType();
    List<Column> columns = new ArrayList<>(source.columns());
    columns.add(new Column(name + ".v", type));
    return new TypedSql(
        SqlNode.of(
            "lateral",
            source.node(),
            " cross join lateral (select ",
            expressions.of(type, 2, source.columns()),
            " as v) as " + name),
        columns);
  }

  /** A join with a few rows by any condition, which has no key. */
  private TypedSql ofFew(int depth) {
    TypedSql left = joined(depth);
    List<Column> few = names.table("f", "u");
    List<Column> both = new ArrayList<>(left.columns());
    both.addAll(few);
    String kind = expressions.one(List.of("inner", "left", "left semi", "left anti", "right"));
    return new TypedSql(
        SqlNode.of(
            "of few",
            left.node(),
            " "
                + kind
                + " join (select * from u where uid < 4) as "
                + QueryNames.qualifier(few)
                + " on ",
            expressions.condition(3, both)),
        kind.startsWith("left ") ? left.columns() : both);
  }

  private TypedSql exploded(int depth) {
    TypedSql source = next(depth);
    String alias = names.next("e");
    List<Column> columns = new ArrayList<>(source.columns());
    String type = expressions.one(List.of("int", "double", "string"));
    columns.add(new Column(alias + ".v", type));
    return new TypedSql(
        SqlNode.of(
            EXPLODED,
            source.node(),
            " lateral view " + (random.nextBoolean() ? "outer " : "") + "explode(slice(",
            expressions.of("array<" + type + ">", 2, source.columns()),
            ", 1, 3)) " + alias + " as v"),
        columns);
  }

  private TypedSql join(int depth) {
    TypedSql left = joined(depth);
    TypedSql right = table();
    String kind =
        expressions.one(
            List.of("inner", "left", "right", "full", "left semi", "left anti", "inner"));
    List<Column> both = new ArrayList<>(left.columns());
    both.addAll(right.columns());
    // A key bounds how many rows come out.
    SqlNode on =
        SqlNode.of(
            "on",
            "pmod(hash(",
            expressions.of(expressions.anyType(), 2, left.columns()),
            "), 40) = pmod(hash(",
            expressions.of(expressions.anyType(), 2, right.columns()),
            "), 40)",
            SqlNode.of(
                SqlNode.OPTIONAL,
                " and ",
                expressions.condition(2, random.nextBoolean() ? both : left.columns())));
    List<Column> columns = kind.startsWith("left ") ? left.columns() : both;
    return new TypedSql(
        SqlNode.of("join", left.node(), " " + kind + " join ", right.node(), " on ", on), columns);
  }
}
