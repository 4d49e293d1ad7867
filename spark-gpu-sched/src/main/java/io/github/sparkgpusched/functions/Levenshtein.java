package io.github.sparkgpusched.functions;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.BytesColumn;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.CostHint;
import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.util.Optional;
import org.apache.spark.sql.api.java.UDF2;

/**
 * The least number of characters (Unicode code points) to insert, delete or replace to make one
 * string of the other: equal to Spark's built-in {@code levenshtein} on all valid strings.
 * Malformed UTF-8 is read as {@link String} reads it, with replacement characters. A null argument
 * gives null. Quadratic in the lengths. An instance is for one thread: it has scratch space; see
 * {@link GpuUdf}.
 */
public final class Levenshtein implements UDF2<String, String, Integer>, GpuUdf {
  private static final long serialVersionUID = 1L;

  // Scratch; not sent with the UDF, so null in a fresh copy.
  private transient byte[] bytes;
  private transient int[] left;
  private transient int[] right;
  private transient int[] distances;

  @Override
  public Integer call(String a, String b) {
    if (a == null || b == null) {
      return null;
    }
    left = atLeast(left, a.length());
    right = atLeast(right, b.length());
    return distance(left, codePoints(a, left), right, codePoints(b, right));
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return Optional.of(this::batch);
  }

  /** The number of cells of the table of distances; at least 1. */
  @Override
  public Optional<CostHint> costHint() {
    return Optional.of(
        (arguments, row) ->
            1.0 + (double) arguments.bytes(0).length(row) * arguments.bytes(1).length(row));
  }

  @Override
  public boolean mayRunTwice() {
    return true;
  }

  @Override
  public Optional<CudaSource> cuda() {
    return Optional.of(CudaSource.resource("levenshtein.cu", "levenshtein").inSteps());
  }

  private void batch(Columns arguments, int from, int until, ResultColumn out) {
    BytesColumn a = arguments.bytes(0);
    BytesColumn b = arguments.bytes(1);
    for (int row = from; row < until; row++) {
      left = atLeast(left, a.length(row));
      right = atLeast(right, b.length(row));
      out.setInt(row, distance(left, codePoints(a, row, left), right, codePoints(b, row, right)));
    }
  }

  private int codePoints(BytesColumn column, int row, int[] into) {
    int length = column.length(row);
    if (bytes == null || bytes.length < length) {
      bytes = new byte[length];
    }
    return Utf8.decode(bytes, column.copy(row, bytes), into);
  }

  private static int codePoints(String text, int[] into) {
    int count = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(into[count++])) {
      into[count] = text.codePointAt(i);
    }
    return count;
  }

  /**
   * The distance of the first {@code n} and {@code m} elements, with one row of the table in
   * memory.
   */
  private int distance(int[] a, int n, int[] b, int m) {
    if (n > m) {
      return distance(b, m, a, n);
    }
    // Equal ends cost nothing, and much text differs in the middle only.
    int start = 0;
    while (start < n && a[start] == b[start]) {
      start++;
    }
    while (n > start && a[n - 1] == b[m - 1]) {
      n--;
      m--;
    }
    distances = atLeast(distances, n - start + 1);
    int[] row = distances;
    for (int i = 0; i <= n - start; i++) {
      row[i] = i;
    }
    for (int j = start; j < m; j++) {
      int character = b[j];
      int diagonal = row[0];
      // Each cell waits for the one before it: in a register, and not by way of memory.
      int before = diagonal + 1;
      row[0] = before;
      for (int i = start; i < n; i++) {
        int at = i - start + 1;
        int above = row[at];
        int replaced = a[i] == character ? diagonal : diagonal + 1;
        before = Math.min(replaced, 1 + Math.min(above, before));
        row[at] = before;
        diagonal = above;
      }
    }
    return row[n - start];
  }

  private static int[] atLeast(int[] scratch, int length) {
    return scratch != null && scratch.length >= length ? scratch : new int[length];
  }
}
