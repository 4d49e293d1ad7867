package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.device.CallOnDevice;
import java.util.ArrayList;
import java.util.List;

/**
 * A task's calls as one launch device is given them, kept from batch to batch. Made by the task's
 * thread; used by the device's owner alone, but for {@link #releaseResults}.
 */
final class DeviceCalls {
  private final List<CallOnDevice> calls = new ArrayList<>();
  private final List<ResultWriter> results = new ArrayList<>();
  private long batch = -1;

  /**
   * @param udfs one for each call, which nobody else uses meanwhile
   * @param columns of the calls
   * @param memory where string results live
   */
  DeviceCalls(
      List<CallSpec> specs, List<GpuUdf> udfs, List<CallColumns> columns, BatchMemory memory) {
    for (int i = 0; i < specs.size(); i++) {
      ResultWriter writer = new ResultWriter(columns.get(i).result(), memory);
      results.add(writer);
      calls.add(new CallOnDevice(specs.get(i).call(), udfs.get(i), columns.get(i), writer));
    }
  }

  List<CallOnDevice> all() {
    return calls;
  }

  /**
   * Begins a batch, unless the device was already at it; strings of the one before are forgotten.
   */
  void beginBatch(long number) {
    if (batch != number) {
      batch = number;
      results.forEach(ResultWriter::beginBatch);
    }
  }

  /** Forgets results, and gives the memory of strings back. Task thread, while no job runs. */
  void releaseResults() {
    results.forEach(ResultWriter::release);
  }
}
