package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.testing.Bits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Row;

/**
 * What a query gave.
 *
 * @param rows as texts, sorted where a query has no order
 * @param failure Spark's condition and the last cause, if it failed; or null
 * @param batches that were computed
 */
record QueryAnswer(List<String> rows, String failure, long batches) {
  private static final Pattern BITS_OF_NAN = Pattern.compile("NaN(f?)/[0-9a-f]+");

  static QueryAnswer of(List<Row> rows, long batches) {
    return new QueryAnswer(texts(rows).sorted().toList(), null, batches);
  }

  static QueryAnswer inOrder(List<Row> rows, long batches) {
    return new QueryAnswer(texts(rows).toList(), null, batches);
  }

  /**
   * Of two NaNs that are added the processor gives the first. Which one that is, is up to the JIT
   * compiler, in plain Spark too.
   */
  private static Stream<String> texts(List<Row> rows) {
    return Bits.of(rows).stream().map(row -> BITS_OF_NAN.matcher(row).replaceAll("NaN$1"));
  }

  static QueryAnswer of(Throwable thrown) {
    Throwable last = thrown;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    String condition = thrown instanceof SparkThrowable known ? known.getCondition() : null;
    return new QueryAnswer(
        List.of(), condition + ", " + last.toString().lines().findFirst().orElse(""), 0);
  }

  /** True if Spark did not begin to run it. */
  boolean isRefused() {
    return failure != null
        && (failure.contains("AnalysisException") || failure.contains("ParseException"));
  }

  /** True if its jobs were cancelled. */
  boolean isCancelled() {
    return failure != null && failure.contains("SPARK_JOB_CANCELLED");
  }

  boolean isSame(QueryAnswer other) {
    return rows.equals(other.rows) && kindOfFailure().equals(other.kindOfFailure());
  }

  /**
   * The class of the last cause: which row fails first is nobody's promise, and Spark has another
   * condition where two stages of an adaptive query fail.
   */
  private String kindOfFailure() {
    if (failure == null) {
      return "";
    }
    String thrown = failure.substring(failure.indexOf(", ") + 2);
    int end = thrown.indexOf(':');
    return end < 0 ? thrown : thrown.substring(0, end);
  }

  /**
   * The answer of who wanted that many rows, whichever they are: this one, if they are among these.
   */
  QueryAnswer some(List<Row> few, int wanted, long batchesOfFew) {
    Map<String, Integer> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(row, 1, Integer::sum));
    QueryAnswer taken = of(few, batchesOfFew);
    boolean known = taken.rows.stream().allMatch(row -> counts.merge(row, -1, Integer::sum) >= 0);
    return known && few.size() == Math.min(wanted, rows.size())
        ? new QueryAnswer(rows, null, batchesOfFew)
        : taken;
  }

  @Override
  public String toString() {
    return failure == null ? rows.size() + " rows" : failure;
  }
}
