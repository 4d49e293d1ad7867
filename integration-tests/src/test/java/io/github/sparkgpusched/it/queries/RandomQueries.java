package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Random queries with calls in every position that SQL has for an expression. Their rows are the
 * same whatever order rows come in; sums of fractions and the like, which are not, are left out.
 */
final class RandomQueries {
  /** The kind of queries whose rows have one order. */
  static final String ORDERED = "ordered";

  private static final String QUERY = "query";

  private final SplittableRandom random;
  private final RandomExpressions expressions;
  private final QueryNames names;
  private final RandomConditions conditions;
  private final RandomAggregates aggregates;
  private final RandomSources sources;

  /**
   * @param tables columns by name
   */
  RandomQueries(
      SplittableRandom random, RandomExpressions expressions, Map<String, List<Column>> tables) {
    this.random = random;
    this.expressions = expressions;
    names = new QueryNames(tables);
    conditions = new RandomConditions(random, expressions, names);
    aggregates = new RandomAggregates(random, expressions);
    sources = new RandomSources(random, expressions, names, this);
  }

  /** One with a call at least. */
  SqlNode next() {
    int before = expressions.calls();
    SqlNode query = dealt(query(1 + random.nextInt(3)));
    while (expressions.calls() == before) {
      query = dealt(query(1 + random.nextInt(3)));
    }
    return query;
  }

  /** The query, and perhaps an order of its rows, or how they are dealt to tasks. */
  private SqlNode dealt(TypedSql query) {
    if (random.nextInt(12) == 0) {
      String type = expressions.one(QueryTypes.EXACT);
      String how = expressions.one(List.of("distribute by ", "cluster by ", "sort by "));
      return SqlNode.of(
          "dealt",
          "select * from (",
          query.node(),
          ")",
          SqlNode.of(SqlNode.OPTIONAL, " " + how, expressions.called(type, query.columns())));
    }
    if (!isExact(query.columns()) || random.nextInt(4) > 0) {
      return random.nextBoolean()
          ? query.node()
          : SqlNode.of("told", "select *", bytes(query.columns()), " from (", query.node(), ")");
    }
    return ordered(query, bytes(query.columns()));
  }

  /** Strings' bytes: Java makes one sign of all that are no UTF-8. */
  private static SqlNode bytes(List<Column> columns) {
    List<Object> hex = new ArrayList<>();
    for (Column column : columns) {
      if (column.type().equals("string")) {
        hex.add(", hex(cast(" + column.name() + " as binary)) as h_" + column.name());
      }
    }
    return SqlNode.of(SqlNode.OPTIONAL, hex.toArray());
  }

  /**
   * Rows in an order, or the first by it.
   *
   * @param query of {@linkplain #isExact exact} columns
   * @param more columns of the result
   */
  private SqlNode ordered(TypedSql query, SqlNode more) {
    List<SqlNode> order = new ArrayList<>();
    if (random.nextBoolean()) {
      order.add(expressions.called(expressions.one(QueryTypes.EXACT), query.columns()));
    }
    // By all columns in the end, so that a limit has the same rows.
    for (Column column : query.columns()) {
      order.add(SqlNode.of("key", column.name() + (random.nextBoolean() ? "" : " desc")));
    }
    String limit = " limit " + (1 + random.nextInt(40));
    return SqlNode.of(
        ORDERED,
        "select *",
        more,
        " from (",
        query.node(),
        ") order by ",
        SqlNode.list("keys", ", ", order),
        SqlNode.of(SqlNode.OPTIONAL, random.nextInt(3) == 0 ? limit + " offset 5" : limit));
  }

  /** A query, or the first of its rows in an order where that is one. */
  TypedSql someOf(TypedSql query) {
    return isExact(query.columns())
        ? new TypedSql(ordered(query, SqlNode.of(SqlNode.OPTIONAL)), query.columns())
        : query;
  }

  private static boolean isExact(List<Column> columns) {
    return columns.stream().allMatch(c -> QueryTypes.EXACT.contains(c.type()));
  }

  TypedSql query(int depth) {
    return switch (depth <= 0 ? 0 : random.nextInt(8)) {
      case 0, 1, 2, 3 -> select(depth);
      case 4, 5 -> grouped(depth);
      case 6 -> window(depth);
      default -> set(depth);
    };
  }

  private String name() {
    return names.next("c");
  }

  private static SqlNode named(SqlNode value, Column column) {
    return SqlNode.of("item", value, " as " + column.name());
  }

  private TypedSql select(int depth) {
    TypedSql source = sources.next(depth);
    List<Column> in = source.columns();
    List<Column> columns = new ArrayList<>();
    List<SqlNode> items = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      Column column = new Column(name(), expressions.anyType());
      columns.add(column);
      items.add(named(expressions.of(column.type(), 3, in), column));
    }
    boolean distinct = isExact(columns) && random.nextInt(6) == 0;
    if (!distinct) {
      addOthers(in, columns, items);
    }
    return new TypedSql(
        SqlNode.of(
            QUERY,
            "select ",
            SqlNode.of(SqlNode.OPTIONAL, distinct ? "distinct " : ""),
            SqlNode.list("items", ", ", items),
            " from ",
            source.node(),
            conditions.where(depth, in)),
        columns);
  }

  /** What calls are beside in a list: columns of types that they do not take, and other items. */
  private void addOthers(List<Column> in, List<Column> columns, List<SqlNode> items) {
    List<Column> strange = in.stream().filter(c -> !QueryTypes.TYPES.contains(c.type())).toList();
    if (!strange.isEmpty() && random.nextInt(3) == 0) {
      Column from = expressions.one(strange);
      Column column = new Column(name(), from.type());
      columns.add(column);
      items.add(named(SqlNode.of("strange", from.name()), column));
    }
    if (random.nextInt(8) == 0) {
      Column column = new Column(name(), "int");
      columns.add(column);
      items.add(named(conditions.found(in), column));
    }
    if (random.nextInt(10) == 0) {
      String type = expressions.one(List.of("int", "double", "string"));
      Column column = new Column(name(), type);
      columns.add(column);
      SqlNode array = expressions.of("array<" + type + ">", 2, in);
      items.add(named(SqlNode.of("item", "explode(slice(", array, ", 1, 2))"), column));
    }
  }

  private TypedSql grouped(int depth) {
    TypedSql source = sources.next(depth);
    List<Column> in = source.columns();
    List<Column> columns = new ArrayList<>();
    List<SqlNode> items = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Column column = new Column(name(), expressions.one(QueryTypes.EXACT));
      columns.add(column);
      // Not a literal: SQL takes one for a position.
      items.add(named(expressions.of(column.type(), 3, in), column));
      keys.add(String.valueOf(columns.size()));
    }
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      RandomAggregates.Typed aggregate = aggregates.next(in);
      Column column = new Column(name(), aggregate.type());
      columns.add(column);
      items.add(named(aggregate.node(), column));
    }
    SqlNode by =
        keys.isEmpty()
            ? SqlNode.of(SqlNode.OPTIONAL)
            : SqlNode.of("by", " group by " + grouping(keys));
    SqlNode having =
        keys.isEmpty() || random.nextInt(4) > 0
            ? SqlNode.of(SqlNode.OPTIONAL)
            : SqlNode.of(
                SqlNode.OPTIONAL,
                " having ",
                expressions.inc("count(*)"),
                " > " + random.nextInt(6));
    return new TypedSql(
        SqlNode.of(
            QUERY,
            "select ",
            SqlNode.list("items", ", ", items),
            " from ",
            source.node(),
            conditions.where(depth, in),
            by,
            having),
        columns);
  }

  private String grouping(List<String> keys) {
    String list = String.join(", ", keys);
    return switch (random.nextInt(5)) {
      case 0 -> "rollup (" + list + ")";
      case 1 -> "cube (" + list + ")";
      default -> list;
    };
  }

  private TypedSql window(int depth) {
    TypedSql source = sources.next(depth);
    List<Column> in = source.columns();
    String type = expressions.one(QueryTypes.EXACT);
    Column computed = new Column(name(), type);
    Column rank = new Column(name(), "int");
    Column peers = new Column(name(), "bigint");
    SqlNode window =
        SqlNode.of(
            "window",
            " over (partition by ",
            expressions.of(expressions.one(QueryTypes.EXACT), 2, in),
            " order by ",
            expressions.of(expressions.one(QueryTypes.EXACT), 2, in),
            ")");
    return new TypedSql(
        SqlNode.of(
            QUERY,
            "select ",
            named(expressions.of(type, 3, in), computed),
            ", ",
            named(SqlNode.of("item", "rank()", window), rank),
            ", ",
            named(
                SqlNode.of(
                    "item", "count(", expressions.of(expressions.anyType(), 2, in), ")", window),
                peers),
            " from ",
            source.node(),
            conditions.where(depth, in)),
        List.of(computed, rank, peers));
  }

  private TypedSql set(int depth) {
    List<Column> columns = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      columns.add(new Column(name(), expressions.one(QueryTypes.EXACT)));
    }
    String word =
        expressions.one(
            List.of(" union all ", " union all ", " union ", " intersect ", " except "));
    return new TypedSql(
        SqlNode.of(
            QUERY,
            SqlNode.of(QUERY, side(depth, columns)),
            word,
            SqlNode.of(QUERY, side(depth, columns))),
        columns);
  }

  private SqlNode side(int depth, List<Column> columns) {
    TypedSql source = sources.next(depth - 1);
    List<SqlNode> items = new ArrayList<>();
    for (Column column : columns) {
      items.add(named(expressions.of(column.type(), 2, source.columns()), column));
    }
    return SqlNode.of(
        "side",
        "select ",
        SqlNode.list("items", ", ", items),
        " from ",
        source.node(),
        conditions.where(depth - 1, source.columns()));
  }
}
