package io.github.sparkgpusched.device.cudf;

import io.github.sparkgpusched.device.cuda.ForeignGpu;
import io.github.sparkgpusched.schedule.DeviceFailedException;
import io.github.sparkgpusched.schedule.JobRefusedException;
import org.apache.spark.unsafe.Platform;

/**
 * The kernels that convert between cuDF's layout of columns and that of a call's kernel
 * (cuda/cudf): a bit or a byte a row for nulls, offsets or extents for strings and arrays. All
 * addresses are the device's; all is queued in the stream. One thread's.
 */
final class Converters {
  private static final String RESOURCE =
      "/io/github/sparkgpusched/device/cudf/columns.compute_75.ptx.gz";

  private final ForeignGpu gpu;

  Converters(ForeignGpu gpu) {
    this.gpu = gpu;
  }

  /** A mask's bits to a byte a row. */
  void unpack(long mask, long bytes, long rows) throws DeviceFailedException, JobRefusedException {
    run("gpusched_cudf_unpack", rows, mask, bytes, rows);
  }

  /**
   * Offsets to extents from the first byte of the data.
   *
   * @param offsetBytes of each: 4 or 8
   */
  void extents(long offsets, int offsetBytes, long extents, long rows)
      throws DeviceFailedException, JobRefusedException {
    run("gpusched_cudf_extents", rows, offsets, offsetBytes, extents, rows);
  }

  /**
   * Lists to Spark's arrays.
   *
   * @param elementMask 0 if no element is null
   * @param heap has {@link #listBytes}
   */
  void lists(
      long offsets, long elements, long elementMask, int width, long extents, long heap, long rows)
      throws DeviceFailedException, JobRefusedException {
    run("gpusched_cudf_lists", rows, offsets, elements, elementMask, width, extents, heap, rows);
  }

  /** Bytes that so many lists take at most, which together have so many elements. */
  static long listBytes(long rows, long elements, int width) {
    return 24 * rows + 8 * (elements / 64) + ((elements * width + 7) & ~7L);
  }

  /** States of rows to a mask; adds up the null ones, and of these those left to the host. */
  void pack(long states, long mask, long counts, long rows, long maskBytes)
      throws DeviceFailedException, JobRefusedException {
    long words = maskBytes / 4;
    run("gpusched_cudf_pack", words, states, mask, counts, rows, words);
  }

  /** Lengths of string results behind a 0, as ints, and their sum. */
  void sizes(long extents, long states, long sizes, long total, long rows)
      throws DeviceFailedException, JobRefusedException {
    run("gpusched_cudf_sizes", rows, extents, states, sizes, total, rows);
  }

  /** String results together, each to its offset. */
  void strings(long extents, long heap, long states, long offsets, long chars, long rows)
      throws DeviceFailedException, JobRefusedException {
    run("gpusched_cudf_strings", rows, extents, heap, states, offsets, chars, rows);
  }

  private void run(String kernel, long items, long... fields)
      throws DeviceFailedException, JobRefusedException {
    long parameter = Platform.allocateMemory(8L * fields.length);
    try {
      for (int i = 0; i < fields.length; i++) {
        Platform.putLong(null, parameter + 8L * i, fields[i]);
      }
      gpu.convert(kernel, RESOURCE, items, parameter);
    } finally {
      Platform.freeMemory(parameter);
    }
  }
}
