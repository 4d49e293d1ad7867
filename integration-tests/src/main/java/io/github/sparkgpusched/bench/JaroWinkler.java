package io.github.sparkgpusched.bench;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF2;

/**
 * The Jaro-Winkler similarity of two strings, from 0 to 1: a common function whose cost grows with
 * the product of the lengths. After W. Winkler, <i>String Comparator Metrics and Enhanced Decision
 * Rules in the Fellegi-Sunter Model of Record Linkage</i> (1990). Thread-safe.
 */
public final class JaroWinkler implements UDF2<String, String, Double>, GpuUdf {
  private static final long serialVersionUID = 1L;

  private static final double PREFIX_WEIGHT = 0.1;
  private static final int LONGEST_PREFIX = 4;

  @Override
  public Double call(String a, String b) {
    if (a == null || b == null) {
      return null;
    }
    double jaro = jaro(a, b);
    int prefix = 0;
    int most = Math.min(LONGEST_PREFIX, Math.min(a.length(), b.length()));
    while (prefix < most && a.charAt(prefix) == b.charAt(prefix)) {
      prefix++;
    }
    return jaro + prefix * PREFIX_WEIGHT * (1 - jaro);
  }

  private static double jaro(String a, String b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() && b.isEmpty() ? 1 : 0;
    }
    int window = Math.max(0, Math.max(a.length(), b.length()) / 2 - 1);
    boolean[] usedOfA = new boolean[a.length()];
    boolean[] usedOfB = new boolean[b.length()];
    int matches = 0;
    for (int i = 0; i < a.length(); i++) {
      int last = Math.min(b.length() - 1, i + window);
      for (int j = Math.max(0, i - window); j <= last; j++) {
        if (!usedOfB[j] && a.charAt(i) == b.charAt(j)) {
          usedOfA[i] = true;
          usedOfB[j] = true;
          matches++;
          break;
        }
      }
    }
    if (matches == 0) {
      return 0;
    }
    int transposed = 0;
    int j = 0;
    for (int i = 0; i < a.length(); i++) {
      if (usedOfA[i]) {
        while (!usedOfB[j]) {
          j++;
        }
        transposed += a.charAt(i) == b.charAt(j) ? 0 : 1;
        j++;
      }
    }
    double m = matches;
    return (m / a.length() + m / b.length() + (m - transposed / 2.0) / m) / 3;
  }
}
