package io.github.sparkgpusched.jobs;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** What a job is to {@link JobRunner}. */
public interface Job {
  /** The name of its main class. */
  String name();

  /** What it does, in one line. */
  String about();

  /** The flags that it takes. */
  List<Flag> flags();

  /**
   * Checks what can be checked without Spark.
   *
   * @throws BadArgumentsException if the job cannot run with these options
   */
  void check(Options options);

  /**
   * Runs the job.
   *
   * @param out gets the report for people
   * @return the result for scripts, which becomes one line of JSON
   * @throws BadArgumentsException if an input is missing
   * @throws JobFailedException if the result is not what it must be
   */
  Map<String, Object> run(SparkSession spark, Options options, PrintStream out) throws Exception;
}
