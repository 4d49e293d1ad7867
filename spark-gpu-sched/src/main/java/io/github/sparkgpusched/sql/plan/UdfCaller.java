package io.github.sparkgpusched.sql.plan;

import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF10;
import org.apache.spark.sql.api.java.UDF11;
import org.apache.spark.sql.api.java.UDF12;
import org.apache.spark.sql.api.java.UDF13;
import org.apache.spark.sql.api.java.UDF14;
import org.apache.spark.sql.api.java.UDF15;
import org.apache.spark.sql.api.java.UDF16;
import org.apache.spark.sql.api.java.UDF17;
import org.apache.spark.sql.api.java.UDF18;
import org.apache.spark.sql.api.java.UDF19;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF20;
import org.apache.spark.sql.api.java.UDF21;
import org.apache.spark.sql.api.java.UDF22;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.sql.api.java.UDF6;
import org.apache.spark.sql.api.java.UDF7;
import org.apache.spark.sql.api.java.UDF8;
import org.apache.spark.sql.api.java.UDF9;

/** Calls Spark's Java UDF interfaces by the number of arguments. */
public final class UdfCaller {
  private UdfCaller() {}

  /**
   * Calls {@code udf.call(a[0], …)}.
   *
   * @throws ClassCastException if the UDF takes another number of arguments, or arguments of other
   *     types
   */
  @SuppressWarnings({"rawtypes", "unchecked"})
  public static Object call(Object udf, Object[] a) throws Exception {
    return switch (a.length) {
      case 0 -> ((UDF0) udf).call();
      case 1 -> ((UDF1) udf).call(a[0]);
      case 2 -> ((UDF2) udf).call(a[0], a[1]);
      case 3 -> ((UDF3) udf).call(a[0], a[1], a[2]);
      case 4 -> ((UDF4) udf).call(a[0], a[1], a[2], a[3]);
      case 5 -> ((UDF5) udf).call(a[0], a[1], a[2], a[3], a[4]);
      case 6 -> ((UDF6) udf).call(a[0], a[1], a[2], a[3], a[4], a[5]);
      case 7 -> ((UDF7) udf).call(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
      case 8 -> ((UDF8) udf).call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
      case 9 -> ((UDF9) udf).call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
      case 10 -> ((UDF10) udf).call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
      case 11 ->
          ((UDF11) udf).call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]);
      case 12 ->
          ((UDF12) udf)
              .call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
      case 13 ->
          ((UDF13) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12]);
      case 14 ->
          ((UDF14) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13]);
      case 15 ->
          ((UDF15) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13], a[14]);
      case 16 ->
          ((UDF16) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13], a[14], a[15]);
      case 17 ->
          ((UDF17) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13], a[14], a[15], a[16]);
      case 18 ->
          ((UDF18) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13], a[14], a[15], a[16], a[17]);
      case 19 ->
          ((UDF19) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13], a[14], a[15], a[16], a[17], a[18]);
      case 20 ->
          ((UDF20) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13], a[14], a[15], a[16], a[17], a[18], a[19]);
      case 21 ->
          ((UDF21) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20]);
      case 22 ->
          ((UDF22) udf)
              .call(
                  a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                  a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21]);
      default ->
          throw new IllegalArgumentException(a.length + " arguments: a UDF takes at most 22");
    };
  }
}
