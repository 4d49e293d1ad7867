package io.github.sparkgpusched.bench.kernels;

import java.util.List;

/** A line that {@code cuda/check/timing/run} wrote: one schedule of one workload. */
record Run(
    String setting,
    int batch,
    String schedule,
    long chunks,
    double cycles,
    double slots,
    double ownLanes) {
  static final String HEADER_START = "gpu,";
  private static final int CHUNK_ROWS = 32;

  /**
   * Of the columns gpu, multiprocessors, function, workload, mean, rows, seed, schedule, cycles,
   * slots, five kinds of them, lanes, lanes of the function itself, …, batch.
   */
  static Run of(String line) {
    List<String> words = List.of(line.split(","));
    String setting =
        "%s, %s | %s %s | %s | %s"
            .formatted(
                words.get(0), words.get(1), words.get(2), words.get(3), words.get(4), words.get(5));
    if (!words.get(6).equals("1")) {
      setting += ", seed " + words.get(6);
    }
    return new Run(
        setting,
        Integer.parseInt(words.get(words.size() - 1)),
        words.get(7),
        Long.parseLong(words.get(5)) / CHUNK_ROWS,
        Double.parseDouble(words.get(8)),
        Double.parseDouble(words.get(9)),
        Double.parseDouble(words.get(16)));
  }
}
