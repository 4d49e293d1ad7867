package io.github.sparkgpusched.shims;

import org.apache.spark.package$;
import scala.collection.immutable.Seq;
import scala.util.Properties;

/**
 * Whether this jar is the one for the Spark that runs. With another one, an application would start
 * and fail at its first query with a call, by a {@code NoSuchMethodError}.
 */
public final class RightJar {
  /** The jar of Scala 2.12 is compiled with the {@code Seq} that may be mutable. */
  private static final String SCALA = Seq.class.getName().contains("immutable") ? "2.13" : "2.12";

  private RightJar() {}

  /**
   * Refuses another Spark than the jar's own.
   *
   * @throws IllegalStateException if it is one; the message names the right jar
   */
  public static void check() {
    check(package$.MODULE$.SPARK_VERSION(), Properties.versionNumberString());
  }

  static void check(String spark, String scala) {
    if (!spark.startsWith(BuiltFor.SPARK + ".") || !scala.startsWith(SCALA + ".")) {
      throw new IllegalStateException(
          "this jar of spark-gpu-sched is for Spark "
              + BuiltFor.SPARK
              + " with Scala "
              + SCALA
              + ", and this is Spark "
              + spark
              + " with Scala "
              + scala
              + ": give "
              + rightOne(spark, scala)
              + " in its place (docs/compatibility.md)");
    }
  }

  private static String rightOne(String spark, String scala) {
    if (spark.startsWith("4.")) {
      return "spark-gpu-sched_2.13-….jar";
    } else if (!spark.startsWith("3.5.")) {
      return "Spark 3.5 or 4";
    }
    return scala.startsWith("2.12.")
        ? "spark-gpu-sched_2.12-….jar"
        : "spark-gpu-sched-spark-3.5_2.13-….jar";
  }
}
