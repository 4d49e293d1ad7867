package io.github.sparkgpusched.sql.plan;

import java.util.Arrays;
import org.apache.spark.sql.internal.SQLConf;

/**
 * What the planner knows of the RAPIDS Accelerator, without its classes: an author's own {@code
 * RapidsUDF} is the Accelerator's to plan where it plans the session, and it looks for that
 * interface behind the function that Spark made.
 */
final class Rapids {
  private static final String PLUGIN = "com.nvidia.spark.SQLPlugin";
  private static final String UDF = "com.nvidia.spark.RapidsUDF";

  private Rapids() {}

  /** True if a UDF is to be left as Spark made it, for the Accelerator to find. */
  static boolean owns(Object udf, SQLConf conf) {
    return isRapidsUdf(udf.getClass()) && plans(conf);
  }

  private static boolean plans(SQLConf conf) {
    return Arrays.stream(conf.getConfString("spark.plugins", "").split(",", -1))
            .anyMatch(plugin -> plugin.trim().equals(PLUGIN))
        && !conf.getConfString("spark.rapids.sql.enabled", "true").trim().equalsIgnoreCase("false");
  }

  private static boolean isRapidsUdf(Class<?> type) {
    return type != null
        && (type.getName().equals(UDF)
            || isRapidsUdf(type.getSuperclass())
            || Arrays.stream(type.getInterfaces()).anyMatch(Rapids::isRapidsUdf));
  }
}
