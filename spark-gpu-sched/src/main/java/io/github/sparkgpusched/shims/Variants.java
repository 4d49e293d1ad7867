package io.github.sparkgpusched.shims;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.unsafe.types.VariantVal;

/** The type {@code variant}, which Spark has from 4.0 on (SPARK-45827). */
public final class Variants {
  private Variants() {}

  public static boolean are(DataType type) {
    return type instanceof VariantType;
  }

  /** The value (0) or the metadata (1) of a variant. */
  public static byte[] part(SpecializedGetters of, int ordinal, int part) {
    VariantVal variant = of.getVariant(ordinal);
    return part == 0 ? variant.getValue() : variant.getMetadata();
  }
}
