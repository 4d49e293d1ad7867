package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.QueryLoad;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * In the event log: what devices computed for a query that has ended. A later one replaces it: what
 * its killed tasks had is heard of late.
 *
 * @param version of this class' components; 1
 */
public record GpuSchedQueryEvent(int version, QueryLoad query) implements SparkListenerEvent {}
