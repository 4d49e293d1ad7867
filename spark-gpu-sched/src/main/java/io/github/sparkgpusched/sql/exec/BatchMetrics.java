package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.schedule.JobStats;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/** The SQL metrics of a batched node. Made on the driver; tasks add to their copies. */
record BatchMetrics(
    SQLMetric rows,
    SQLMetric batches,
    SQLMetric blocks,
    SQLMetric stolenBlocks,
    SQLMetric deviceTime,
    SQLMetric gpuTime,
    SQLMetric transferTime,
    SQLMetric toGpuBytes,
    SQLMetric fromGpuBytes,
    SQLMetric compileTime,
    SQLMetric waitTime,
    SQLMetric peakMemory)
    implements Serializable {
  static BatchMetrics create(SparkContext sc) {
    return new BatchMetrics(
        SQLMetrics.createMetric(sc, "number of output rows"),
        SQLMetrics.createMetric(sc, "number of batches"),
        SQLMetrics.createMetric(sc, "number of blocks"),
        SQLMetrics.createMetric(sc, "blocks run by another device than their first owner"),
        SQLMetrics.createNanoTimingMetric(sc, "time computing on devices", -1),
        SQLMetrics.createNanoTimingMetric(sc, "time computing on GPUs", -1),
        SQLMetrics.createNanoTimingMetric(sc, "time copying to and from GPUs", -1),
        SQLMetrics.createSizeMetric(sc, "bytes copied to GPUs", -1),
        SQLMetrics.createSizeMetric(sc, "bytes copied from GPUs", -1),
        SQLMetrics.createNanoTimingMetric(sc, "time compiling for GPUs", -1),
        SQLMetrics.createNanoTimingMetric(sc, "time waiting for devices", -1),
        SQLMetrics.createSizeMetric(sc, "peak batch memory", -1));
  }

  Map<String, SQLMetric> byName() {
    Map<String, SQLMetric> byName = new LinkedHashMap<>();
    byName.put("numOutputRows", rows);
    byName.put("numBatches", batches);
    byName.put("numBlocks", blocks);
    byName.put("numStolenBlocks", stolenBlocks);
    byName.put("deviceTime", deviceTime);
    byName.put("gpuTime", gpuTime);
    byName.put("transferTime", transferTime);
    byName.put("toGpuBytes", toGpuBytes);
    byName.put("fromGpuBytes", fromGpuBytes);
    byName.put("compileTime", compileTime);
    byName.put("waitTime", waitTime);
    byName.put("peakMemory", peakMemory);
    return byName;
  }

  /**
   * Adds a job.
   *
   * @param cores how many of the devices, the first, are cores; the others are GPUs
   */
  void add(JobStats job, int cores) {
    rows.add(job.rows());
    batches.add(1);
    blocks.add(job.blocks());
    stolenBlocks.add(job.stolenBlocks());
    deviceTime.add(job.busyNanos());
    for (int i = cores; i < job.devices(); i++) {
      gpuTime.add(job.work(i).busyNanos());
    }
    Transfers transfers = job.transfers();
    if (transfers.totalBytes() > 0) {
      transferTime.add(transfers.nanos());
      toGpuBytes.add(transfers.toDeviceBytes());
      fromGpuBytes.add(transfers.fromDeviceBytes());
    }
    waitTime.add(job.waitNanos());
  }
}
