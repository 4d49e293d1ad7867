package io.github.sparkgpusched.device.cudf;

import ai.rapids.cudf.CudfColumnSizeOverflowException;
import io.github.sparkgpusched.device.UdfCall;
import java.lang.reflect.Constructor;

/** The error of a column of strings that would have more bytes than its offsets can count. */
final class TooLarge {
  private TooLarge() {}

  /**
   * Of a call's results. It is cuDF's own exception, after which RAPIDS halves the batch and tries
   * again, where that is to be had: cuDF lets no one else make it.
   *
   * @param bytes of strings, of all or of some
   */
  static RuntimeException column(UdfCall call, int rows, long bytes) {
    String message =
        "the strings that UDF '%s' gives for a batch of %d rows have %d bytes or more, and a"
                .formatted(call.name(), rows, bytes)
            + " column of cuDF's takes less than 2 GiB: make batches smaller"
            + " (spark.rapids.sql.batchSizeBytes)";
    try {
      Constructor<CudfColumnSizeOverflowException> constructor =
          CudfColumnSizeOverflowException.class.getDeclaredConstructor(String.class);
      constructor.setAccessible(true);
      return constructor.newInstance(message);
    } catch (ReflectiveOperationException | LinkageError e) {
      return new IllegalStateException(message, e);
    }
  }
}
