package io.github.sparkgpusched.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The way of a job from its command line to its exit status. */
public final class JobRunner {
  private static final String PLUGIN = "io.github.sparkgpusched.GpuSchedPlugin";

  private JobRunner() {}

  /** Runs a job and ends the JVM if it fails. */
  static void main(Job job, String[] arguments) throws Exception {
    int status = run(job, arguments, System.out, System.err);
    if (status != 0) {
      System.exit(status);
    }
  }

  /**
   * Runs a job in a Spark session of its own, or in the one that there is.
   *
   * @param out gets the report; its last line is the result as JSON
   * @param err gets one line if the job cannot run or fails
   * @return 0; 1 if the result is not what it must be; 2 if the job cannot run as it was called
   * @throws Exception anything else that fails, as Spark throws it
   */
  public static int run(Job job, String[] arguments, PrintStream out, PrintStream err)
      throws Exception {
    if (Arrays.asList(arguments).contains("--help")) {
      out.print(Options.help(job.name(), job.about(), job.flags()));
      return 0;
    }
    try {
      Options options = Options.parse(arguments, job.flags());
      job.check(options);
      out.println(json(inSession(job, options, out)));
      return 0;
    } catch (BadArgumentsException e) {
      err.println(job.name() + ": " + e.getMessage());
      return 2;
    } catch (JobFailedException e) {
      err.println(job.name() + ": " + e.getMessage());
      return 1;
    }
  }

  private static Map<String, Object> inSession(Job job, Options options, PrintStream out)
      throws Exception {
    boolean ours = SparkSession.getDefaultSession().isEmpty();
    SparkSession.Builder builder = SparkSession.builder().appName("gpusched " + job.name());
    if (!options.text(Flag.MASTER).isEmpty()) {
      builder.master(options.text(Flag.MASTER));
    }
    SparkSession spark = builder.getOrCreate();
    try {
      if (!spark.sparkContext().getConf().get("spark.plugins", "").contains(PLUGIN)) {
        throw new BadArgumentsException("the plugin is not on: add --conf spark.plugins=" + PLUGIN);
      }
      return job.run(spark, options, out);
    } finally {
      if (ours) {
        spark.stop();
      }
    }
  }

  private static String json(Map<String, Object> result) throws JsonProcessingException {
    return new ObjectMapper().writeValueAsString(result);
  }
}
