package io.github.sparkgpusched.it.queries;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Random expressions of every type that calls take and give. None of them fails, and none has a
 * result that the rows' order decides.
 */
final class RandomExpressions {
  /** A column that an expression may read. */
  record Column(String name, String type) {}

  /** A function, with types of what it takes and gives. */
  record Function(String name, List<String> arguments, String result) {}

  /** Of which no two values are equal but for their bits. */
  static final List<String> EXACT =
      List.of(
          "boolean",
          "tinyint",
          "smallint",
          "int",
          "bigint",
          "date",
          "timestamp",
          "string",
          "binary");

  static final List<String> TYPES =
      List.of(
          "boolean",
          "tinyint",
          "smallint",
          "int",
          "bigint",
          "float",
          "double",
          "date",
          "timestamp",
          "string",
          "binary",
          "array<double>",
          "array<int>");

  private static final Map<String, List<String>> LITERALS =
      Map.ofEntries(
          Map.entry("boolean", List.of("true", "false")),
          Map.entry("tinyint", List.of("7Y", "-128Y")),
          Map.entry("smallint", List.of("300S", "-1S")),
          Map.entry("int", List.of("0", "42", "-2147483648")),
          Map.entry("bigint", List.of("1L", "9223372036854775807L")),
          Map.entry("float", List.of("1.5F", "cast('NaN' as float)", "-0.0F")),
          Map.entry("double", List.of("0.5D", "100D", "cast('NaN' as double)", "-0.0D")),
          Map.entry("date", List.of("date'2024-02-29'", "date'1582-10-15'")),
          Map.entry("timestamp", List.of("timestamp'1969-12-31 23:59:59.999999Z'")),
          Map.entry("string", List.of("''", "'Zürich'", "'a'")),
          Map.entry("binary", List.of("X'00ff'", "X''")),
          Map.entry("array<double>", List.of("array(1D, null)")),
          Map.entry("array<int>", List.of("array(1, 2, 3)")));

  private final SplittableRandom random;
  private final List<Function> functions;

  RandomExpressions(SplittableRandom random, List<Function> functions) {
    this.random = random;
    this.functions = functions;
  }

  <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  String anyType() {
    return one(TYPES);
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
    return switch (random.nextInt(4)) {
      case 0 -> conditional(type, depth, columns);
      case 1 -> leaf(type, fit);
      default -> builtIn(type, depth - 1, columns);
    };
  }

  private SqlNode leaf(String type, List<Column> fit) {
    if (!fit.isEmpty() && random.nextInt(8) > 0) {
      return SqlNode.of(type, one(fit).name());
    }
    return SqlNode.of(
        type, random.nextInt(6) == 0 ? "cast(null as " + type + ")" : one(LITERALS.get(type)));
  }

  private SqlNode call(Function function, int depth, List<Column> columns) {
    List<SqlNode> arguments = new ArrayList<>();
    for (String type : function.arguments()) {
      arguments.add(of(type, depth - 1, columns));
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
      default -> {
        String element = type.equals("array<int>") ? "int" : "double";
        yield two(type, "array(", element, ", ", ")", depth, columns);
      }
    };
  }

  private SqlNode test(int depth, List<Column> columns) {
    String type = one(EXACT);
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
              one(LITERALS.get(type)),
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
    return switch (random.nextInt(4)) {
      case 0 -> two("string", "concat(", "string", ", ", ")", depth, columns);
      case 1 -> SqlNode.of("string", "upper(", of("string", depth, columns), ")");
      case 2 -> SqlNode.of("string", "substring(", of("string", depth, columns), ", 2, 3)");
      default -> SqlNode.of("string", "cast(", of("int", depth, columns), " as string)");
    };
  }
}
