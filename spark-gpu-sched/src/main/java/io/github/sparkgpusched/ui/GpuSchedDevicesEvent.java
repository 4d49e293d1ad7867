package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.ExecutorLoad;
import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * In the event log: an executor's devices, when it starts, when it ends, at times in between, and
 * at the application's end. Each holds all that the ones before of this executor did.
 *
 * @param version of this class' components; 1
 * @param report the load, without spans
 * @param axisStartMillis where the time axis of utilisation begins
 * @param bucketMillis length of its intervals
 * @param utilisation busy time in each interval in percent, by device; without the zeros at the end
 * @param ended whether the executor has ended: Spark's own event of it is gone once Spark has
 *     compacted the log; false in older logs
 */
public record GpuSchedDevicesEvent(
    int version,
    ExecutorLoad report,
    long axisStartMillis,
    long bucketMillis,
    List<List<Integer>> utilisation,
    boolean ended)
    implements SparkListenerEvent {}
