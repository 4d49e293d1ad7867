package io.github.sparkgpusched.advise.plan;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds users' functions in a node of a plan, by what Spark prints of it. */
final class Calls {
  private static final String UNNAMED = "UDF";

  /** Those that print what they do for each row in a list before their output. */
  private static final Pattern PYTHON_CALL = Pattern.compile("([A-Za-z_<][\\w<>.]*)\\(");

  private static final Pattern OUTER_JOIN =
      Pattern.compile("\\b(LeftOuter|RightOuter|FullOuter|LeftAnti|LeftSemi|ExistenceJoin)\\b");

  private static final String STREAM_JOIN = "StreamingSymmetricHashJoin";

  /** An outer join. The columns of its sides are looked for once, if a call asks. */
  private static final class OuterJoin {
    final String kind;
    private final PlanNode node;
    private List<Set<Long>> sides;

    OuterJoin(String kind, PlanNode node) {
      this.kind = kind;
      this.node = node;
    }

    List<Set<Long>> sides() {
      if (sides == null) {
        sides = node.children().stream().map(Calls::columns).toList();
      }
      return sides;
    }
  }

  private Calls() {}

  /** Its calls, each once. */
  static List<Call> of(PlanNode node) {
    if (node.evaluatesNothing()) {
      return List.of();
    }
    if (node.isPython()) {
      return python(node);
    }
    Set<Call> calls = new LinkedHashSet<>();
    if (node.name().startsWith("Map")
        || node.name().startsWith("FlatMap")
        || node.name().startsWith("AppendColumns")
        || node.text().contains("$Lambda")) {
      calls.add(
          new Call(
              node.name(),
              Call.Kind.WHOLE,
              node.name(),
              "it is a function over objects (map, flatMap, a typed filter), not a call in an"
                  + " expression: write it as a UDF of columns"));
      return List.copyOf(calls);
    }
    String text = evaluated(node);
    OuterJoin join = outerJoin(node, text);
    Expressions.calls(text, (name, around) -> calls.add(call(node, text, join, name, around)));
    return List.copyOf(calls);
  }

  /** Whether a call that {@link #of} has found is given one of these columns. */
  static boolean areGiven(PlanNode node, Iterable<Call> calls, Set<Long> columns) {
    for (Call call : calls) {
      int begin = node.text().indexOf(call.function() + "(");
      if (begin >= 0) {
        Set<Long> read =
            Expressions.columns(arguments(node.text(), begin + call.function().length()));
        if (read.stream().anyMatch(columns::contains)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Without its own name; of an aggregate's last step without what an earlier step evaluates. */
  private static String evaluated(PlanNode node) {
    String text = node.text();
    if (text.startsWith(node.name())) {
      text = text.substring(node.name().length());
    }
    int functions = text.indexOf("functions=[");
    if (node.isAggregate() && functions >= 0 && !text.contains("partial_") && hasPartial(node)) {
      text = text.substring(0, functions);
    }
    return text;
  }

  private static boolean hasPartial(PlanNode node) {
    for (PlanNode child : node.children()) {
      if (child.isAggregate() ? child.text().contains("functions=[") : hasPartial(child)) {
        return true;
      }
    }
    return false;
  }

  private static Call call(PlanNode node, String text, OuterJoin join, String name, String around) {
    if (name.startsWith("#")) {
      String last = name.substring(name.lastIndexOf('.') + 1).replace("#", "");
      return new Call(
          last,
          Call.Kind.HIVE,
          node.name(),
          "it is a Hive UDF: register it as a Java UDF (UDF1, UDF2, …) of the plugin's");
    }
    if (node.isAggregate() && name.matches("(partial|merge|finalmerge)_.*")) {
      return new Call(
          name.substring(name.indexOf('_') + 1),
          Call.Kind.AGGREGATE,
          node.name(),
          "it is an aggregate function, which keeps a state over rows");
    }
    Call.Kind kind = name.equals(UNNAMED) ? Call.Kind.UNNAMED : Call.Kind.NAMED;
    String whyNot =
        node.name().startsWith(STREAM_JOIN)
            ? "the join of two streams keeps rows in its state, which has the same columns without"
                + " the plugin"
            : whyNot(text, join, name, around + " ");
    return new Call(name, kind, node.name(), whyNot);
  }

  /** As {@code sql.plan.Explanation} has it, as far as a printed plan tells. */
  private static String whyNot(String text, OuterJoin join, String name, String around) {
    if (around.contains(" lambdafunction ")) {
      return "it stands in the lambda of a higher-order function";
    }
    if (around.contains(" tryeval ") || around.contains(" try_eval ")) {
      return "it stands in a try_ function, which catches errors row by row";
    }
    if (join != null && isOfBothSides(join, text, name)) {
      return "it refers to both sides of a "
          + join.kind
          + " join, whose condition decides which rows are padded";
    }
    return null;
  }

  /** Null if it is none. */
  private static OuterJoin outerJoin(PlanNode node, String text) {
    Matcher join = OUTER_JOIN.matcher(text);
    return node.name().contains("Join") && join.find() ? new OuterJoin(join.group(1), node) : null;
  }

  private static boolean isOfBothSides(OuterJoin join, String text, String name) {
    if (join.sides().size() != 2) {
      return true;
    }
    int begin = text.indexOf(name + "(");
    Set<Long> read = Expressions.columns(arguments(text, begin + name.length()));
    for (Set<Long> side : join.sides()) {
      if (read.stream().noneMatch(side::contains)) {
        return false;
      }
    }
    return true;
  }

  private static String arguments(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
      if (depth == 0) {
        return text.substring(open, i);
      }
    }
    return text.substring(open);
  }

  private static Set<Long> columns(PlanNode node) {
    Set<Long> columns = new HashSet<>(Expressions.columns(node.text()));
    node.children().forEach(child -> columns.addAll(columns(child)));
    return columns;
  }

  /**
   * A node of Python's prints {@code BatchEvalPython [f(x#1)#2], [pythonUDF0#3]}: names with
   * numbers, as each call is known by that of its result.
   */
  private static List<Call> python(PlanNode node) {
    boolean byRow = node.name().equals("BatchEvalPython");
    if (!byRow && !node.name().equals("ArrowEvalPython")) {
      return List.of(
          new Call(
              node.name(),
              Call.Kind.WHOLE,
              node.name(),
              "it is given whole partitions or groups, not the arguments of a call"));
    }
    Set<Call> calls = new LinkedHashSet<>();
    String text = node.text().substring(Math.max(0, node.text().indexOf('[')));
    int end = text.indexOf("], [");
    Matcher matcher = PYTHON_CALL.matcher(end < 0 ? text : text.substring(0, end));
    while (matcher.find()) {
      String name = matcher.group(1);
      if (!SparkNames.has(name)) {
        calls.add(new Call(name, byRow ? Call.Kind.PYTHON : Call.Kind.PANDAS, node.name(), null));
      }
    }
    if (calls.isEmpty()) {
      calls.add(
          new Call("a function", byRow ? Call.Kind.PYTHON : Call.Kind.PANDAS, node.name(), null));
    }
    return List.copyOf(calls);
  }
}
