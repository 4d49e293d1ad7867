package io.github.sparkgpusched.plugin;

import java.io.Serializable;

/**
 * What an executor sends the driver as it ends, after its last report.
 *
 * @param executorId Spark's id of the executor
 */
record LastReport(String executorId) implements Serializable {}
