package io.github.sparkgpusched.load;

import io.github.sparkgpusched.api.GpuUdfException;

/** What an operator reads first of a message that may be a page of stack trace. */
public final class FirstLine {
  /** Before a function's error, Spark has 200 to 250 characters of job, stage, task and host. */
  private static final int MOST_CHARS = 500;

  private FirstLine() {}

  /** What an error says; its class too, unless its message says all by itself. */
  public static String of(Throwable error) {
    return of(error instanceof GpuUdfException ? error.getMessage() : error.toString());
  }

  /** The first line that is not empty, cut to 500 characters; empty of null or of white space. */
  public static String of(String text) {
    if (text == null) {
      return "";
    }
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .map(line -> line.length() <= MOST_CHARS ? line : line.substring(0, MOST_CHARS) + "…")
        .orElse("");
  }
}
