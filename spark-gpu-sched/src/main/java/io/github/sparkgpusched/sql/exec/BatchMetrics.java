package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.schedule.JobStats;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/**
 * The SQL metrics of a batched node, in which every device that is neither a core nor of another
 * executor is an accelerator. Made on the driver; tasks add to their copies.
 */
final class BatchMetrics implements Serializable {
  private static final long serialVersionUID = 1L;

  final SQLMetric rows;
  final SQLMetric rowsInline;
  final SQLMetric rowsBatched;
  final SQLMetric batches;
  final SQLMetric blocks;
  final SQLMetric stolenBlocks;
  final SQLMetric deviceTime;
  final SQLMetric acceleratorTime;
  final SQLMetric transferTime;
  final SQLMetric toAcceleratorBytes;
  final SQLMetric fromAcceleratorBytes;
  final SQLMetric remoteRows;
  final SQLMetric remoteTime;
  final SQLMetric toRemoteBytes;
  final SQLMetric fromRemoteBytes;
  final SQLMetric compileTime;
  final SQLMetric waitTime;
  final SQLMetric peakMemory;

  BatchMetrics(SparkContext sc) {
    rows = SQLMetrics.createMetric(sc, "number of output rows");
    rowsInline = SQLMetrics.createMetric(sc, "rows inline");
    rowsBatched = SQLMetrics.createMetric(sc, "rows batched");
    batches = SQLMetrics.createMetric(sc, "number of batches");
    blocks = SQLMetrics.createMetric(sc, "number of blocks");
    stolenBlocks =
        SQLMetrics.createMetric(sc, "blocks run by another device than their first owner");
    deviceTime = SQLMetrics.createNanoTimingMetric(sc, "time computing on devices", -1);
    acceleratorTime = SQLMetrics.createNanoTimingMetric(sc, "time computing on accelerators", -1);
    transferTime =
        SQLMetrics.createNanoTimingMetric(sc, "time copying to and from accelerators", -1);
    toAcceleratorBytes = SQLMetrics.createSizeMetric(sc, "bytes copied to accelerators", -1);
    fromAcceleratorBytes = SQLMetrics.createSizeMetric(sc, "bytes copied from accelerators", -1);
    remoteRows = SQLMetrics.createMetric(sc, "rows computed by other executors");
    remoteTime = SQLMetrics.createNanoTimingMetric(sc, "time computing on other executors", -1);
    toRemoteBytes = SQLMetrics.createSizeMetric(sc, "bytes sent to other executors", -1);
    fromRemoteBytes = SQLMetrics.createSizeMetric(sc, "bytes received from other executors", -1);
    compileTime = SQLMetrics.createNanoTimingMetric(sc, "time compiling for accelerators", -1);
    waitTime = SQLMetrics.createNanoTimingMetric(sc, "time waiting for devices", -1);
    peakMemory = SQLMetrics.createSizeMetric(sc, "peak batch memory", -1);
  }

  Map<String, SQLMetric> byName() {
    Map<String, SQLMetric> byName = new LinkedHashMap<>();
    byName.put("numOutputRows", rows);
    byName.put("numRowsInline", rowsInline);
    byName.put("numRowsBatched", rowsBatched);
    byName.put("numBatches", batches);
    byName.put("numBlocks", blocks);
    byName.put("numStolenBlocks", stolenBlocks);
    byName.put("deviceTime", deviceTime);
    byName.put("acceleratorTime", acceleratorTime);
    byName.put("transferTime", transferTime);
    byName.put("toAcceleratorBytes", toAcceleratorBytes);
    byName.put("fromAcceleratorBytes", fromAcceleratorBytes);
    byName.put("numRemoteRows", remoteRows);
    byName.put("remoteTime", remoteTime);
    byName.put("toRemoteBytes", toRemoteBytes);
    byName.put("fromRemoteBytes", fromRemoteBytes);
    byName.put("compileTime", compileTime);
    byName.put("waitTime", waitTime);
    byName.put("peakMemory", peakMemory);
    return byName;
  }

  /** Adds rows that were computed where they were. */
  void addInline(long count, long nanos) {
    rows.add(count);
    rowsInline.add(count);
    deviceTime.add(nanos);
  }

  /**
   * Adds a job.
   *
   * @param cores how many of the devices, the first, are cores
   * @param devices all of them, in order
   */
  void add(JobStats job, int cores, LoadTable devices) {
    rows.add(job.rows());
    rowsBatched.add(job.rows());
    batches.add(1);
    blocks.add(job.blocks());
    stolenBlocks.add(job.stolenBlocks());
    deviceTime.add(job.busyNanos());
    for (int i = cores; i < job.devices(); i++) {
      if (devices.entry(i).isBorrowed()) {
        addRemote(job.work(i), job.transfers(i));
      } else {
        addAccelerator(job.work(i), job.transfers(i));
      }
    }
    waitTime.add(job.waitNanos());
  }

  private void addAccelerator(Work work, Transfers transfers) {
    acceleratorTime.add(work.busyNanos());
    if (transfers.totalBytes() > 0) {
      transferTime.add(transfers.nanos());
      toAcceleratorBytes.add(transfers.toDeviceBytes());
      fromAcceleratorBytes.add(transfers.fromDeviceBytes());
    }
  }

  private void addRemote(Work work, Transfers transfers) {
    if (work.blocks() > 0) {
      remoteRows.add(work.rows());
      remoteTime.add(work.busyNanos());
      toRemoteBytes.add(transfers.toDeviceBytes());
      fromRemoteBytes.add(transfers.fromDeviceBytes());
    }
  }
}
