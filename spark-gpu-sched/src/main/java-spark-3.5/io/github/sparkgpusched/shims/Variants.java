package io.github.sparkgpusched.shims;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.DataType;

/** The type {@code variant}, which Spark 3.5 does not have. */
public final class Variants {
  private Variants() {}

  public static boolean are(DataType type) {
    return false;
  }

  public static byte[] part(SpecializedGetters of, int ordinal, int part) {
    throw new UnsupportedOperationException("Spark 3.5 has no variants");
  }
}
