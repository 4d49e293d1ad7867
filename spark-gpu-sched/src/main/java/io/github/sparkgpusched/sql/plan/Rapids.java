package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.config.RapidsMode;
import io.github.sparkgpusched.config.RapidsPlugin;
import java.util.Arrays;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the planner knows of the RAPIDS Accelerator, without its classes: an author's own {@code
 * RapidsUDF} is the Accelerator's to plan where it plans the session, and it looks for that
 * interface behind the function that Spark made. Where it also executes, it is given the calls of
 * {@link RapidsProjection}.
 */
public final class Rapids {
  private static final Logger LOG = LoggerFactory.getLogger(Rapids.class);

  private static final String UDF = "com.nvidia.spark.RapidsUDF";

  /** Its key that says whether it takes UDFs at all. */
  private static final String EXPRESSION = "spark.rapids.sql.expression.ScalaUDF";

  /** A class is looked through once: the planner asks for each call, each time that it plans. */
  private static final ClassValue<Boolean> IS_RAPIDS_UDF =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isRapidsUdf(type);
        }
      };

  private Rapids() {}

  /** True if a UDF is to be left as Spark made it, for the Accelerator to find. */
  static boolean owns(Object udf, SQLConf conf) {
    return IS_RAPIDS_UDF.get(udf.getClass()) && RapidsPlugin.plans(conf::getConfString);
  }

  /** Whether the Accelerator is to be given the session's calls. */
  public static boolean isGivenCalls(SQLConf conf) {
    return RapidsPlugin.executes(conf::getConfString)
        // Else it would call them row by row from its own plan.
        && !conf.getConfString(EXPRESSION, "true").trim().equalsIgnoreCase("false")
        && SessionConfig.get(conf, QueryKeys.RAPIDS) == RapidsMode.AUTO
        && Linked.TO_IT;
  }

  private static boolean isRapidsUdf(Class<?> type) {
    return type != null
        && (type.getName().equals(UDF)
            || isRapidsUdf(type.getSuperclass())
            || Arrays.stream(type.getInterfaces()).anyMatch(Rapids::isRapidsUdf));
  }

  /** Asked once, when first needed. */
  private static final class Linked {
    /** Whether the plugin's classes that implement the Accelerator's can be loaded. */
    static final boolean TO_IT = isLinked();

    private static boolean isLinked() {
      try {
        Class.forName(
            "io.github.sparkgpusched.sql.plan.RapidsFunction", true, Rapids.class.getClassLoader());
        return true;
      } catch (ClassNotFoundException | LinkageError e) {
        LOG.warn(
            "The RAPIDS Accelerator is given no UDFs, as the plugin does not see its classes ({}):"
                + " put both jars in the same place, as by --jars",
            e.toString());
        return false;
      }
    }
  }
}
