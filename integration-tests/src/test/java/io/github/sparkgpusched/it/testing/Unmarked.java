package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.api.GpuUdf;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;

/**
 * The plugin's functions as plain Spark's, in which the plugin sees nothing of its own. The rule on
 * nulls, which Spark does not know, is theirs.
 */
public final class Unmarked {
  private Unmarked() {}

  public static <A, R> UDF1<A, R> of(UDF1<A, R> function) {
    boolean nulls = takesNulls(function);
    return value -> value == null && !nulls ? null : function.call(value);
  }

  public static <A, B, R> UDF2<A, B, R> of(UDF2<A, B, R> function) {
    boolean nulls = takesNulls(function);
    return (one, other) ->
        (one == null || other == null) && !nulls ? null : function.call(one, other);
  }

  private static boolean takesNulls(Object function) {
    return ((GpuUdf) function).takesNulls();
  }
}
