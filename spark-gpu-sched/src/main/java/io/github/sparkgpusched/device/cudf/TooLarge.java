package io.github.sparkgpusched.device.cudf;

import io.github.sparkgpusched.device.UdfCall;

/** The error of a column of strings that would have more bytes than its offsets can count. */
final class TooLarge {
  private TooLarge() {}

  /**
   * Of a call's results. None of cuDF's: after that one RAPIDS would try again, by parts, and in a
   * projection it cannot hand on parts. It then says nothing of the call.
   *
   * @param bytes of strings, of all or of some
   */
  static RuntimeException column(UdfCall call, int rows, long bytes) {
    return new IllegalStateException(
        "the strings that UDF '%s' gives for a batch of %s rows have %s bytes or more, and a"
                .formatted(call.name(), rows, bytes)
            + " column of cuDF's takes less than 2 GiB: make batches smaller"
            + " (spark.rapids.sql.batchSizeBytes)");
  }
}
