package io.github.sparkgpusched.it.queries;

import java.util.List;
import java.util.Map;

/** SQL types that random queries have, by their names. */
final class QueryTypes {
  private QueryTypes() {}

  /** Types that batches do not hold: Spark computes their calls, beside others that are batched. */
  static final List<String> OF_SPARK_ALONE =
      List.of("decimal(20,3)", "timestamp_ntz", "array<string>");

  /** All types of columns that functions take. */
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
          "array<int>",
          "decimal(20,3)",
          "timestamp_ntz",
          "array<string>");

  /** Of which no two values are equal but for their bits; arrays may have fractions. */
  static final List<String> EXACT =
      TYPES.stream()
          .filter(type -> !List.of("float", "double").contains(type) && !type.startsWith("array"))
          .toList();

  /** Some values of each, as SQL writes them. */
  static final Map<String, List<String>> LITERALS =
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
          Map.entry("array<int>", List.of("array(1, 2, 3)")),
          Map.entry("decimal(20,3)", List.of("cast(1.5 as decimal(20,3))")),
          Map.entry("timestamp_ntz", List.of("timestamp_ntz'2024-03-31 02:30:00'")),
          Map.entry("array<string>", List.of("array('a', null)")));
}
