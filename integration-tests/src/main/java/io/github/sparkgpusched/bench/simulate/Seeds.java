package io.github.sparkgpusched.bench.simulate;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which workloads to generate: those of the seeds from the first to the last. */
record Seeds(long first, long last) {
  static final Seeds DEFAULT = new Seeds(1, 1000);

  private static final String OPTION = "--seeds";
  private static final Pattern RANGE = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");

  /**
   * Takes {@code --seeds A..B} out of a command's arguments.
   *
   * @return the default if they are not there, null if they are and say nothing
   */
  static Seeds take(List<String> arguments) {
    int at = arguments.indexOf(OPTION);
    if (at < 0) {
      return DEFAULT;
    }
    arguments.remove(at);
    Matcher range = RANGE.matcher(at < arguments.size() ? arguments.remove(at) : "");
    if (!range.matches()) {
      return null;
    }
    long first = Long.parseLong(range.group(1));
    long last = Long.parseLong(range.group(2));
    return first <= last ? new Seeds(first, last) : null;
  }
}
