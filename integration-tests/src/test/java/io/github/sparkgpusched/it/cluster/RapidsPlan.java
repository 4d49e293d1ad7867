package io.github.sparkgpusched.it.cluster;

import static io.github.sparkgpusched.it.cluster.app.RapidsPlansApp.END;
import static io.github.sparkgpusched.it.cluster.app.RapidsPlansApp.PLAN;
import static io.github.sparkgpusched.it.cluster.app.RapidsPlansApp.QUERY;

import io.github.sparkgpusched.it.cluster.app.RapidsQuery;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query's final plan.
 *
 * @param log what was logged while it was made
 * @param text as Spark writes it
 */
record RapidsPlan(String log, String text) {
  private static final Pattern PRINTED =
      Pattern.compile("(?ms)^" + QUERY + "(\\w+)$(.*?)^" + PLAN + "$\\R(.*?)^" + END + "$");

  /** The first word of a line, behind what draws the tree and the number of a code's stage. */
  private static final Pattern NODE = Pattern.compile("(?m)^[ :|+*-]*(?:\\(\\d+\\) )?([A-Za-z]+)");

  private static final Set<String> TRANSITIONS =
      Set.of(
          "ColumnarToRow",
          "RowToColumnar",
          "GpuColumnarToRow",
          "GpuRowToColumnar",
          "HostColumnarToGpu",
          "GpuBringBackToHost");

  /** The plans that an application printed. */
  static Map<RapidsQuery, RapidsPlan> printedIn(String log) {
    Map<RapidsQuery, RapidsPlan> plans = new EnumMap<>(RapidsQuery.class);
    Matcher matcher = PRINTED.matcher(log);
    while (matcher.find()) {
      plans.put(
          RapidsQuery.valueOf(matcher.group(1)),
          new RapidsPlan(matcher.group(2), matcher.group(3)));
    }
    return plans;
  }

  /** The names of all nodes, from the top. */
  List<String> nodes() {
    return NODE.matcher(text).results().map(match -> match.group(1)).toList();
  }

  /** Those that bring rows or columns from or to where a neighbour does not want them. */
  List<String> transitions() {
    return nodes().stream().filter(TRANSITIONS::contains).toList();
  }

  boolean has(String part) {
    return text.contains(part);
  }

  /** Whether a node of this name says this of itself. */
  boolean has(String node, String part) {
    return text.lines()
        .anyMatch(
            line -> {
              Matcher matcher = NODE.matcher(line);
              return matcher.find() && matcher.group(1).equals(node) && line.contains(part);
            });
  }

  /** Without the numbers that are others in each JVM. */
  String withoutIds() {
    return text.replaceAll("#\\d+L?|plan_id=\\d+|@[0-9a-f]+", "");
  }

  /** What the plugin says of the plan. */
  String explanation() {
    return log.lines()
        .filter(line -> line.contains(" explain: "))
        .reduce("", (all, line) -> all + line + "\n");
  }

  @Override
  public String toString() {
    return text + log;
  }
}
