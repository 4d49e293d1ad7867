package io.github.sparkgpusched.advise.plan;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Columns of a plan whose values may be of any size: arrays, maps, structs and binaries that a scan
 * reads, under whatever name. Strings are not among them, as most are short. Spark prints the first
 * hundred characters of a scan's schema; it says nothing of columns that expressions make.
 */
final class WideColumns {
  private static final Pattern SCHEMA = Pattern.compile("ReadSchema: struct<(.*)");
  private static final Pattern WIDE =
      Pattern.compile("(?<=^|,)([^:<>,]+):(?:array<|map<|struct<|binary)");
  private static final Pattern RENAMED = Pattern.compile("#(\\d{1,17})L? AS [^#,]+#(\\d{1,17})");

  private WideColumns() {}

  /** Their numbers. */
  static Set<Long> of(PlanNode plan) {
    Set<Long> wide = new HashSet<>();
    add(plan, wide);
    return wide;
  }

  private static void add(PlanNode node, Set<Long> wide) {
    node.children().forEach(child -> add(child, wide));
    if (node.name().contains("Scan")) {
      Matcher schema = SCHEMA.matcher(node.text());
      if (schema.find()) {
        Matcher column = WIDE.matcher(schema.group(1));
        while (column.find()) {
          number(node.text(), column.group(1), wide);
        }
      }
    } else if (!wide.isEmpty()) {
      Matcher renamed = RENAMED.matcher(node.text());
      while (renamed.find()) {
        if (wide.contains(Long.valueOf(renamed.group(1)))) {
          wide.add(Long.valueOf(renamed.group(2)));
        }
      }
    }
  }

  private static void number(String text, String name, Set<Long> wide) {
    Matcher column = Pattern.compile("[\\[,]" + Pattern.quote(name) + "#(\\d{1,17})").matcher(text);
    if (column.find()) {
      wide.add(Long.valueOf(column.group(1)));
    }
  }
}
