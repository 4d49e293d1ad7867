package io.github.sparkgpusched.jobs;

/**
 * A command line flag with a value.
 *
 * @param name with its dashes, such as {@code --out}
 * @param value what to call its value in the help
 * @param help one line
 * @param byDefault its value if it is not given; null: it must be given; empty: it may be left out
 */
public record Flag(String name, String value, String help, String byDefault) {
  static final Flag OUT =
      new Flag("--out", "DIR", "where the answer and the pictures go; made if need be", null);
  static final Flag REPEAT =
      new Flag("--repeat", "N", "how often each side is timed; medians are reported", "1");
  static final Flag MASTER =
      new Flag("--master", "URL", "Spark master, if spark-submit does not set one", "");
}
