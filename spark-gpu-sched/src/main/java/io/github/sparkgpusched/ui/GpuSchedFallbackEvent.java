package io.github.sparkgpusched.ui;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * In the event log, once a UDF and reason: calls that stay row by row.
 *
 * @param version of this class' components; 1
 */
public record GpuSchedFallbackEvent(int version, String udf, String reason)
    implements SparkListenerEvent {}
