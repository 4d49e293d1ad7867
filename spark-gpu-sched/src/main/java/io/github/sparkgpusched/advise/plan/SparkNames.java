package io.github.sparkgpusched.advise.plan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names that a plan may have before a parenthesis without a user's function: those of Spark's
 * functions and expressions, of all versions. A call of any other name is a user's.
 */
final class SparkNames {
  private static final Set<String> NAMES = read();

  private SparkNames() {}

  static boolean has(String name) {
    String small = name.toLowerCase(Locale.ROOT);
    for (String prefix : new String[] {"partial_", "merge_", "finalmerge_"}) {
      if (small.startsWith(prefix) && NAMES.contains(small.substring(prefix.length()))) {
        return true;
      }
    }
    // Objects of Spark's, such as unboundedpreceding$(), and types within types.
    return small.endsWith("$") || NAMES.contains(small);
  }

  private static Set<String> read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                SparkNames.class.getResourceAsStream(
                    "/io/github/sparkgpusched/advise/spark-names.txt"),
                StandardCharsets.UTF_8))) {
      return lines.lines().collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
