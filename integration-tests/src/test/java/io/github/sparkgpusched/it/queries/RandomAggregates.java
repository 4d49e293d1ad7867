package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import java.util.List;
import java.util.SplittableRandom;

/** Random aggregates, whose values the order of rows does not decide. */
final class RandomAggregates {
  private final SplittableRandom random;
  private final RandomExpressions expressions;

  RandomAggregates(SplittableRandom random, RandomExpressions expressions) {
    this.random = random;
    this.expressions = expressions;
  }

  /** A type, and an aggregate of that type. */
  record Typed(String type, SqlNode node) {}

  /** An aggregate, or one that a condition over others asks for. */
  Typed next(List<Column> in) {
    Typed aggregate = one(in);
    return switch (random.nextInt(12)) {
      case 0 -> new Typed(aggregate.type, when("case when ", one(in), " then ", aggregate, " end"));
      case 1 -> new Typed("boolean", when("", one(in), " and ", one(in), ""));
      default -> aggregate;
    };
  }

  private static SqlNode when(
      String begin, Typed condition, String between, Typed then, String end) {
    String second = between.equals(" and ") ? " is not null" : "";
    return SqlNode.of(
        "item", begin, condition.node, " is not null", between, then.node, second + end);
  }

  private Typed one(List<Column> in) {
    SqlNode filter =
        random.nextInt(4) == 0
            ? SqlNode.of(SqlNode.OPTIONAL, " filter (where ", expressions.condition(2, in), ")")
            : SqlNode.of(SqlNode.OPTIONAL);
    String any = expressions.anyType();
    String exact = expressions.one(QueryTypes.EXACT);
    return switch (random.nextInt(10)) {
      case 0 -> of("bigint", "count(", expressions.of(any, 3, in), ")", filter);
      case 1 -> of(exact, "max(", expressions.of(exact, 3, in), ")", filter);
      case 2 -> of(exact, "min(", expressions.of(exact, 3, in), ")", filter);
      case 3 -> of("bigint", "count(distinct ", expressions.of(exact, 3, in), ")", filter);
      case 4 -> new Typed("double", expressions.inc("count(*)"));
      case 5 -> of("bigint", "sum(", expressions.of("int", 3, in), ")", filter);
      case 6 -> of("boolean", "bool_or(", expressions.of("boolean", 3, in), ")", filter);
      case 7 ->
          of(
              "int",
              "hash(array_sort(collect_list(",
              expressions.of(exact, 3, in),
              ")",
              filter,
              "))");
      case 8 -> {
        SqlNode value = expressions.of("int", 2, in);
        yield new Typed("int", expressions.bucket(SqlNode.of("int", "max(", value, ")")));
      }
      default -> of("bigint", "bit_xor(xxhash64(", expressions.of(any, 3, in), "))", filter);
    };
  }

  private static Typed of(String type, Object... parts) {
    return new Typed(type, SqlNode.of("item", parts));
  }
}
