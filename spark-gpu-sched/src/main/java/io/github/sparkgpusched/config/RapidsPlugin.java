package io.github.sparkgpusched.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.BinaryOperator;

/** What Spark's configuration says of the RAPIDS Accelerator, a plugin beside this one. */
public final class RapidsPlugin {
  private static final String CLASS = "com.nvidia.spark.SQLPlugin";

  /** Its mode in which it executes; in the other it only says what it would do. */
  private static final String EXECUTES = "executeongpu";

  private RapidsPlugin() {}

  /**
   * Whether it is among the application's plugins.
   *
   * @param conf gives the value of a key, or a default
   */
  public static boolean isThere(BinaryOperator<String> conf) {
    return Arrays.stream(conf.apply("spark.plugins", "").split(",", -1))
        .anyMatch(plugin -> plugin.trim().equals(CLASS));
  }

  /**
   * Whether it plans queries.
   *
   * @param conf gives the value of a key, or a default
   */
  public static boolean plans(BinaryOperator<String> conf) {
    return isThere(conf)
        && !conf.apply("spark.rapids.sql.enabled", "true").trim().equalsIgnoreCase("false");
  }

  /**
   * Whether it owns a GPU of each executor, with most of its memory. It does also where it plans no
   * queries, as a session may let it at any time.
   *
   * @param conf gives the value of a key, or a default
   */
  public static boolean ownsGpu(BinaryOperator<String> conf) {
    return isThere(conf)
        && conf.apply("spark.rapids.sql.mode", EXECUTES)
            .trim()
            .toLowerCase(Locale.ROOT)
            .equals(EXECUTES);
  }

  /**
   * Whether it plans queries and also executes them.
   *
   * @param conf gives the value of a key, or a default
   */
  public static boolean executes(BinaryOperator<String> conf) {
    return plans(conf) && ownsGpu(conf);
  }
}
