package io.github.sparkgpusched.it.queries;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random expressions of every type that calls take and give. None of them fails, and none has a
 * result that the rows' order decides.
 */
final class RandomExpressions {
  /** A column that an expression may read. */
  record Column(String name, String type) {}

  /**
   * A function, with types of what it takes and gives.
   *
   * @param nulls whether it takes nulls; if not, a null fails the query
   */
  record Function(String name, List<String> arguments, String result, boolean nulls) {}

  private final SplittableRandom random;
  private final List<Function> functions;
  private int calls;
  private int lambdas;

  RandomExpressions(SplittableRandom random, List<Function> functions) {
    this.random = random;
    this.functions = functions;
  }

  <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  String anyType() {
    return one(QueryTypes.TYPES);
  }

  /** How many calls there are in what has been drawn. */
  int calls() {
    return calls;
  }

  /** An expression of a type; its kind is the type's name. */
  SqlNode of(String type, int depth, List<Column> columns) {
    List<Column> fit = columns.stream().filter(c -> c.type().equals(type)).toList();
    if (depth <= 0 || random.nextInt(5) == 0) {
      return leaf(type, fit);
    }
    List<Function> calls = functions.stream().filter(f -> f.result().equals(type)).toList();
    if (!calls.isEmpty() && random.nextBoolean()) {
      return call(one(calls), depth, columns);
    }
    return switch (random.nextInt(9)) {
      case 0, 1 -> conditional(type, depth, columns);
      case 2, 3 -> leaf(type, fit);
      case 4 -> part(type, depth - 1, columns);
      default -> builtIn(type, depth - 1, columns);
    };
  }

  /** A value that is put into another, and taken out of it. */
  private SqlNode part(String type, int depth, List<Column> columns) {
    SqlNode value = of(type, depth, columns);
    return switch (random.nextInt(3)) {
      case 0 ->
          SqlNode.of(
              type, "named_struct('a', ", of(anyType(), depth, columns), ", 'b', ", value, ").b");
      case 1 -> SqlNode.of(type, "map('a', ", value, ")['a']");
      default ->
          SqlNode.of(type, "array(", value, ", ", of(type, depth, columns), ")[", index(), "]");
    };
  }

  private String index() {
    return String.valueOf(random.nextInt(2));
  }

  private SqlNode leaf(String type, List<Column> fit) {
    if (!fit.isEmpty() && random.nextInt(8) > 0) {
      return SqlNode.of(type, one(fit).name());
    }
    return SqlNode.of(
        type,
        random.nextInt(6) == 0 ? "cast(null as " + type + ")" : one(QueryTypes.LITERALS.get(type)));
  }

  /** A call of a value that there is. */
  SqlNode inc(String number) {
    calls++;
    return SqlNode.of("double", "inc(cast(" + number + " as double))");
  }

  /** A call of a value that there is. */
  SqlNode bucket(SqlNode number) {
    calls++;
    return SqlNode.of("int", "bucket(coalesce(", number, ", 0))");
  }

  /** A call as such, or an expression where no function gives the type. */
  SqlNode called(String type, List<Column> columns) {
    List<Function> fit = functions.stream().filter(f -> f.result().equals(type)).toList();
    return fit.isEmpty() ? of(type, 2, columns) : call(one(fit), 2, columns);
  }

  private SqlNode call(Function function, int depth, List<Column> columns) {
    calls++;
    List<SqlNode> arguments = new ArrayList<>();
    for (String type : function.arguments()) {
      SqlNode argument = of(type, depth - 1, columns);
      boolean filled = !function.nulls() && random.nextInt(50) > 0;
      arguments.add(
          filled
              ? SqlNode.of(
                  type, "coalesce(", argument, ", " + one(QueryTypes.LITERALS.get(type)) + ")")
              : argument);
    }
    return SqlNode.of(
        function.result(), function.name() + "(", SqlNode.list("arguments", ", ", arguments), ")");
  }

  private SqlNode conditional(String type, int depth, List<Column> columns) {
    SqlNode first = of(type, depth - 1, columns);
    SqlNode second = of(type, depth - 1, columns);
    return switch (random.nextInt(4)) {
      case 0 -> SqlNode.of(type, "coalesce(", first, ", ", second, ")");
      case 1 -> SqlNode.of(type, "if(", condition(depth, columns), ", ", first, ", ", second, ")");
      case 2 ->
          SqlNode.of(
              type, "case when ", condition(depth, columns), " then ", first, otherwise(second));
      default ->
          SqlNode.of(
              type,
              "case ",
              of("int", depth - 1, columns),
              " when 1 then ",
              first,
              " when 2 then ",
              of(type, depth - 1, columns),
              otherwise(second));
    };
  }

  private static SqlNode otherwise(SqlNode value) {
    return SqlNode.of("end of case", SqlNode.of(SqlNode.OPTIONAL, " else ", value), " end");
  }

  SqlNode condition(int depth, List<Column> columns) {
    return of("boolean", depth - 1, columns);
  }

  private SqlNode builtIn(String type, int depth, List<Column> columns) {
    return switch (type) {
      case "boolean" -> test(depth, columns);
      case "tinyint", "smallint" ->
          SqlNode.of(type, "cast(pmod(", of("int", depth, columns), ", 100) as ", type, ")");
      case "int" -> wholeNumber(depth, columns);
      case "bigint" ->
          random.nextBoolean()
              ? SqlNode.of(type, "xxhash64(", of(anyType(), depth, columns), ")")
              : SqlNode.of(type, "cast(", of("int", depth, columns), " as bigint)");
      case "float" -> SqlNode.of(type, "cast(", of("int", depth, columns), " as float)");
      case "double" -> number(depth, columns);
      case "date" ->
          SqlNode.of(
              type, "date_add(date'1999-12-31', pmod(", of("int", depth, columns), ", 9999))");
      case "timestamp" ->
          SqlNode.of(type, "timestamp_micros(pmod(", of("bigint", depth, columns), ", 99999999L))");
      case "string" -> text(depth, columns);
      case "binary" -> SqlNode.of(type, "cast(", of("string", depth, columns), " as binary)");
      case "decimal(20,3)" ->
          SqlNode.of(type, "cast(", of("int", depth, columns), " / 4 as decimal(20,3))");
      case "timestamp_ntz" ->
          SqlNode.of(type, "cast(", of("timestamp", depth, columns), " as timestamp_ntz)");
      default -> array(type, depth, columns);
    };
  }

  private SqlNode array(String type, int depth, List<Column> columns) {
    String element = type.substring("array<".length(), type.length() - 1);
    if (random.nextBoolean()) {
      return two(type, "array(", element, ", ", ")", depth, columns);
    }
    String item = "x" + lambdas++;
    List<Column> inside = new ArrayList<>(columns);
    inside.add(new Column(item, element));
    boolean filters = random.nextInt(3) == 0;
    return SqlNode.of(
        type,
        (filters ? "filter" : "transform") + "(slice(",
        of(type, depth, columns),
        ", 1, 4), " + item + " -> ",
        of(filters ? "boolean" : element, depth, inside),
        ")");
  }

  private SqlNode test(int depth, List<Column> columns) {
    String type = one(QueryTypes.EXACT);
    SqlNode value = of(type, depth, columns);
    return switch (random.nextInt(7)) {
      case 0 -> SqlNode.of("boolean", "(", value, " is null)");
      case 1 -> SqlNode.of("boolean", "(not ", of("boolean", depth, columns), ")");
      case 2 -> two("boolean", "(", "boolean", " and ", ")", depth, columns);
      case 3 -> two("boolean", "(", "boolean", " or ", ")", depth, columns);
      case 4 ->
          SqlNode.of(
              "boolean",
              "(",
              value,
              " in (",
              one(QueryTypes.LITERALS.get(type)),
              ", ",
              of(type, depth, columns),
              "))");
      case 5 -> two("boolean", "(", "double", " > ", ")", depth, columns);
      default ->
          SqlNode.of(
              "boolean",
              "(",
              value,
              one(List.of(" < ", " <= ", " = ", " <=> ", " <> ")),
              of(type, depth, columns),
              ")");
    };
  }

  /** Two operands of a type, and what is before, between and after them. */
  private SqlNode two(
      String result,
      String before,
      String operand,
      String between,
      String after,
      int depth,
      List<Column> columns) {
    SqlNode first = of(operand, depth, columns);
    return SqlNode.of(result, before, first, between, of(operand, depth, columns), after);
  }

  private SqlNode wholeNumber(int depth, List<Column> columns) {
    return switch (random.nextInt(4)) {
      case 0 -> SqlNode.of("int", "length(", of("string", depth, columns), ")");
      case 1 -> SqlNode.of("int", "hash(", of(anyType(), depth, columns), ")");
      case 2 -> SqlNode.of("int", "pmod(", of("int", depth, columns), ", 5)");
      default -> two("int", "(", "int", " & ", ")", depth, columns);
    };
  }

  private SqlNode number(int depth, List<Column> columns) {
    return switch (random.nextInt(4)) {
      case 0 -> SqlNode.of("double", "cast(", of("int", depth, columns), " as double)");
      case 1 -> SqlNode.of("double", "abs(", of("double", depth, columns), ")");
      case 2 -> SqlNode.of("double", "(", of("double", depth, columns), " * 0.5D)");
      default -> SqlNode.of("double", "nanvl(", of("double", depth, columns), ", 3D)");
    };
  }

  private SqlNode text(int depth, List<Column> columns) {
    return switch (random.nextInt(5)) {
      case 0 -> two("string", "concat(", "string", ", ", ")", depth, columns);
      case 1 -> SqlNode.of("string", "upper(", of("string", depth, columns), ")");
      // It may be no UTF-8.
      case 2 -> SqlNode.of("string", "cast(", of("binary", depth, columns), " as string)");
      case 3 -> SqlNode.of("string", "substring(", of("string", depth, columns), ", 2, 3)");
      default -> SqlNode.of("string", "cast(", of("int", depth, columns), " as string)");
    };
  }
}
