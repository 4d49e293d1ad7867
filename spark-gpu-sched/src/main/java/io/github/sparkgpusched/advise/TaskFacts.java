package io.github.sparkgpusched.advise;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * What a task's end says.
 *
 * @param seconds from its launch to its end
 * @param runSeconds of that, what the executor ran it for
 * @param mostFunctionSeconds what no metric has for something else
 * @param plausibleOtherSeconds what is in no metric of its own, were all of it slow
 * @param leastFunctionCap what the low estimate is at most: the processor's time, if it is known
 * @param rows that functions were called for, as far as is known
 */
record TaskFacts(
    long launchMillis,
    double seconds,
    double runSeconds,
    double processorSeconds,
    double scanSeconds,
    double mostFunctionSeconds,
    double plausibleOtherSeconds,
    double leastFunctionCap,
    long rows) {
  /** Of an operator that counts its rows: made, tested or joined, and passed on. */
  private static final double ROW_SECONDS = 150e-9;

  private static final double SHUFFLED_ROW_SECONDS = 500e-9;
  private static final double SHUFFLED_BYTE_SECONDS = 10e-9;

  /** Text is parsed; 30 MB in a second. */
  private static final double PARSED_BYTE_SECONDS = 30e-9;

  private static final double READ_BYTE_SECONDS = 1e-9;
  private static final double WRITTEN_BYTE_SECONDS = 50e-9;

  /** A Python worker's time has its own metric since Spark 4.1. */
  private static final String PYTHON_TIME = "time to run Python workers";

  /** What the metric of a Python worker's time leaves of doubt. */
  private static final double PYTHON_OTHER = 0.2;

  /**
   * Reads a task's end.
   *
   * @param inputRows accumulators that count the rows that functions are called for
   * @param isPython whether functions run in another process, whose processor time is not known
   * @param parses whether files are read, and no metric says how long that takes
   */
  static TaskFacts of(JsonNode event, Set<Long> inputRows, boolean parses, boolean isPython) {
    JsonNode info = event.path("Task Info");
    JsonNode metrics = event.path("Task Metrics");
    JsonNode read = metrics.path("Shuffle Read Metrics");
    JsonNode write = metrics.path("Shuffle Write Metrics");
    long launch = info.path("Launch Time").asLong();
    double scan = 0;
    double sort = 0;
    double python = -1;
    double passed = 0;
    long mostRows = 0;
    long counted = 0;
    for (JsonNode one : info.path("Accumulables")) {
      double given = one.path("Update").asDouble(0);
      double update = given >= 0 && given < 1e18 ? given : 0; // "NaN" is a number to Jackson
      switch (one.path("Name").asText()) {
        case "scan time" -> scan += update / 1e3;
        case "sort time" -> sort += update / 1e3;
        case PYTHON_TIME -> python = Math.max(python, update / 1e3);
        case "number of output rows" -> {
          passed += update;
          mostRows = Math.max(mostRows, (long) update);
          counted += inputRows.contains(one.path("ID").asLong()) ? (long) update : 0;
        }
        default -> {}
      }
    }
    long readBytes =
        read.path("Local Bytes Read").asLong() + read.path("Remote Bytes Read").asLong();
    double run = metrics.path("Executor Run Time").asLong() / 1e3;
    double known =
        scan
            + sort
            + metrics.path("JVM GC Time").asLong() / 1e3
            + read.path("Fetch Wait Time").asLong() / 1e3
            + write.path("Shuffle Write Time").asLong() / 1e9;
    double processor = metrics.path("Executor CPU Time").asLong() / 1e9;
    double most = Math.max(0, run - known);
    double other =
        passed * ROW_SECONDS
            + (double) metrics.path("Input Metrics").path("Bytes Read").asLong()
                * (parses ? PARSED_BYTE_SECONDS : READ_BYTE_SECONDS)
            + (double) read.path("Total Records Read").asLong() * ROW_SECONDS
            + readBytes * SHUFFLED_BYTE_SECONDS
            + (double) write.path("Shuffle Records Written").asLong() * SHUFFLED_ROW_SECONDS
            + (double) metrics.path("Output Metrics").path("Bytes Written").asLong()
                * WRITTEN_BYTE_SECONDS;
    if (python >= 0) {
      most = Math.min(most, python);
      other = Math.min(other, python * PYTHON_OTHER);
    }
    return new TaskFacts(
        launch,
        Math.max(0, info.path("Finish Time").asLong() - launch) / 1e3,
        run,
        processor,
        scan,
        most,
        other,
        isPython || processor == 0 ? most : Math.min(most, processor),
        counted > 0 ? counted : mostRows);
  }
}
