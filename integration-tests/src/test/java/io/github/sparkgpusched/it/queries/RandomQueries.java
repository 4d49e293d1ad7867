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
  private static final String QUERY = "query";
  private static final String SOURCE = "source";

  /** A query and the columns that it gives. */
  private record Typed(SqlNode node, List<Column> columns) {}

  private final SplittableRandom random;
  private final RandomExpressions expressions;
  private final Map<String, List<Column>> tables;
  private int names;

  /**
   * @param tables columns by name
   */
  RandomQueries(
      SplittableRandom random, RandomExpressions expressions, Map<String, List<Column>> tables) {
    this.random = random;
    this.expressions = expressions;
    this.tables = tables;
  }

  SqlNode next() {
    Typed query = query(3);
    boolean exact =
        query.columns().stream().allMatch(c -> RandomExpressions.EXACT.contains(c.type()));
    if (exact && random.nextInt(4) == 0) {
      List<String> order = new ArrayList<>();
      for (int i = 1; i <= query.columns().size(); i++) {
        order.add(i + (random.nextBoolean() ? "" : " desc"));
      }
      return SqlNode.of(
          "limited",
          "select * from (",
          query.node(),
          ") order by " + String.join(", ", order),
          SqlNode.of(SqlNode.OPTIONAL, " limit " + (1 + random.nextInt(40))));
    }
    return query.node();
  }

  private Typed query(int depth) {
    return switch (depth <= 0 ? 0 : random.nextInt(8)) {
      case 0, 1, 2, 3 -> select(depth);
      case 4, 5 -> grouped(depth);
      case 6 -> window(depth);
      default -> set(depth);
    };
  }

  private String name() {
    return "c" + names++;
  }

  private static SqlNode named(SqlNode value, Column column) {
    return SqlNode.of("item", value, " as " + column.name());
  }

  private Typed select(int depth) {
    Typed source = source(depth);
    List<Column> in = source.columns();
    List<Column> columns = new ArrayList<>();
    List<SqlNode> items = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      Column column = new Column(name(), expressions.anyType());
      columns.add(column);
      items.add(named(expressions.of(column.type(), 3, in), column));
    }
    boolean distinct =
        columns.stream().allMatch(c -> RandomExpressions.EXACT.contains(c.type()))
            && random.nextInt(6) == 0;
    return new Typed(
        SqlNode.of(
            QUERY,
            "select ",
            SqlNode.of(SqlNode.OPTIONAL, distinct ? "distinct " : ""),
            SqlNode.list("items", ", ", items),
            " from ",
            source.node(),
            where(depth, in)),
        columns);
  }

  private SqlNode where(int depth, List<Column> in) {
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
    List<Column> columns = fresh("s", "u");
    String table = "u as " + qualifier(columns);
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

  /** A table's columns under a name of its own. */
  private List<Column> fresh(String prefix, String table) {
    String alias = prefix + names++;
    return tables.get(table).stream()
        .map(c -> new Column(alias + "." + c.name(), c.type()))
        .toList();
  }

  private static String qualifier(List<Column> columns) {
    String name = columns.get(0).name();
    return name.substring(0, name.indexOf('.'));
  }

  private Typed source(int depth) {
    int choice = depth <= 0 ? 0 : random.nextInt(8);
    if (choice == 7) {
      return join(depth - 1);
    } else if (choice == 6) {
      return exploded(depth - 1);
    } else if (choice >= 4) {
      return inParentheses(query(depth - 1));
    }
    return table();
  }

  private Typed table() {
    String table = expressions.one(List.copyOf(tables.keySet()));
    List<Column> columns = fresh(table, table);
    return new Typed(SqlNode.of(SOURCE, table + " as " + qualifier(columns)), columns);
  }

  private Typed inParentheses(Typed query) {
    String alias = "q" + names++;
    List<Column> columns =
        query.columns().stream().map(c -> new Column(alias + "." + c.name(), c.type())).toList();
    return new Typed(SqlNode.of(SOURCE, "(", query.node(), ") as " + alias), columns);
  }

  private Typed exploded(int depth) {
    Typed source = source(depth);
    String alias = "e" + names++;
    List<Column> columns = new ArrayList<>(source.columns());
    boolean ints = random.nextBoolean();
    String type = ints ? "int" : "double";
    columns.add(new Column(alias + ".v", type));
    return new Typed(
        SqlNode.of(
            "exploded",
            source.node(),
            " lateral view " + (random.nextBoolean() ? "outer " : "") + "explode(slice(",
            expressions.of("array<" + type + ">", 2, source.columns()),
            ", 1, 3)) " + alias + " as v"),
        columns);
  }

  private Typed join(int depth) {
    Typed left = source(depth);
    Typed right = table();
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
    return new Typed(
        SqlNode.of("join", left.node(), " " + kind + " join ", right.node(), " on ", on), columns);
  }

  private Typed grouped(int depth) {
    Typed source = source(depth);
    List<Column> in = source.columns();
    List<Column> columns = new ArrayList<>();
    List<SqlNode> items = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Column column = new Column(name(), expressions.one(RandomExpressions.EXACT));
      columns.add(column);
      // Not a literal: SQL takes one for a position.
      items.add(named(expressions.of(column.type(), 3, in), column));
      keys.add(String.valueOf(columns.size()));
    }
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      aggregate(in, columns, items);
    }
    SqlNode by =
        keys.isEmpty()
            ? SqlNode.of(SqlNode.OPTIONAL)
            : SqlNode.of("by", " group by " + grouping(keys));
    SqlNode having =
        keys.isEmpty() || random.nextInt(4) > 0
            ? SqlNode.of(SqlNode.OPTIONAL)
            : SqlNode.of(
                SqlNode.OPTIONAL, " having ", calledOver("count(*)"), " > " + random.nextInt(6));
    return new Typed(
        SqlNode.of(
            QUERY,
            "select ",
            SqlNode.list("items", ", ", items),
            " from ",
            source.node(),
            where(depth, in),
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

  private static SqlNode calledOver(String aggregate) {
    return SqlNode.of("double", "inc(cast(" + aggregate + " as double))");
  }

  private void aggregate(List<Column> in, List<Column> columns, List<SqlNode> items) {
    SqlNode filter =
        random.nextInt(4) == 0
            ? SqlNode.of(SqlNode.OPTIONAL, " filter (where ", expressions.condition(2, in), ")")
            : SqlNode.of(SqlNode.OPTIONAL);
    String any = expressions.anyType();
    String exact = expressions.one(RandomExpressions.EXACT);
    Column column;
    SqlNode value;
    switch (random.nextInt(6)) {
      case 0 -> {
        column = new Column(name(), "bigint");
        value = SqlNode.of("item", "count(", expressions.of(any, 3, in), ")", filter);
      }
      case 1 -> {
        column = new Column(name(), exact);
        value = SqlNode.of("item", "max(", expressions.of(exact, 3, in), ")", filter);
      }
      case 2 -> {
        column = new Column(name(), exact);
        value = SqlNode.of("item", "min(", expressions.of(exact, 3, in), ")", filter);
      }
      case 3 -> {
        column = new Column(name(), "bigint");
        value = SqlNode.of("item", "count(distinct ", expressions.of(exact, 3, in), ")", filter);
      }
      case 4 -> {
        column = new Column(name(), "double");
        value = calledOver("count(*)");
      }
      default -> {
        column = new Column(name(), "bigint");
        value = SqlNode.of("item", "bit_xor(xxhash64(", expressions.of(any, 3, in), "))", filter);
      }
    }
    columns.add(column);
    items.add(named(value, column));
  }

  private Typed window(int depth) {
    Typed source = source(depth);
    List<Column> in = source.columns();
    String type = expressions.one(RandomExpressions.EXACT);
    Column computed = new Column(name(), type);
    Column rank = new Column(name(), "int");
    Column peers = new Column(name(), "bigint");
    SqlNode window =
        SqlNode.of(
            "window",
            " over (partition by ",
            expressions.of(expressions.one(RandomExpressions.EXACT), 2, in),
            " order by ",
            expressions.of(expressions.one(RandomExpressions.EXACT), 2, in),
            ")");
    return new Typed(
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
            where(depth, in)),
        List.of(computed, rank, peers));
  }

  private Typed set(int depth) {
    List<Column> columns = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      columns.add(new Column(name(), expressions.one(RandomExpressions.EXACT)));
    }
    String word =
        expressions.one(
            List.of(" union all ", " union all ", " union ", " intersect ", " except "));
    return new Typed(
        SqlNode.of(
            QUERY,
            SqlNode.of(QUERY, side(depth, columns)),
            word,
            SqlNode.of(QUERY, side(depth, columns))),
        columns);
  }

  private SqlNode side(int depth, List<Column> columns) {
    Typed source = source(depth - 1);
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
        where(depth - 1, source.columns()));
  }
}
