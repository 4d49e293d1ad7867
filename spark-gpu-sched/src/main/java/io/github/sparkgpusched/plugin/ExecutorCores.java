package io.github.sparkgpusched.plugin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;

/** How many cores Spark uses on this executor, that is, how many tasks of one core run at once. */
final class ExecutorCores {
  private static final Pattern LOCAL =
      Pattern.compile("local(?:\\[\\s*([0-9]+|\\*)\\s*(?:,.*)?])?");
  private static final Pattern CORES = Pattern.compile(" --cores ([0-9]+)(?: |$)");

  private ExecutorCores() {}

  static int of(SparkConf conf) {
    return of(conf, System.getProperty("sun.java.command", ""));
  }

  /**
   * The number for a configuration.
   *
   * @param command this JVM's main class and arguments. A standalone cluster gives an executor all
   *     cores of its worker where {@code spark.executor.cores} is not set, and a resource profile
   *     may have another number than the configuration: what holds is the argument that every
   *     cluster manager starts the executor with, as Spark shows it nowhere else.
   */
  static int of(SparkConf conf, String command) {
    Matcher local = LOCAL.matcher(conf.get("spark.master", ""));
    if (local.matches()) {
      String threads = local.group(1) == null ? "1" : local.group(1);
      return threads.equals("*")
          ? Runtime.getRuntime().availableProcessors()
          : Integer.parseInt(threads);
    }
    Matcher cores = CORES.matcher(command);
    return cores.find()
        ? Integer.parseInt(cores.group(1))
        : conf.getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
  }
}
