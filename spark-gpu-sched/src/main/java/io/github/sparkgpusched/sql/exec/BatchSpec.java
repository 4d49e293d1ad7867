package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * All that the tasks of a batched node need to know.
 *
 * @param calls the calls, at least one
 * @param inputTypes types of the child's columns, all of which are handed on
 * @param batchRows rows that a batch should have
 * @param batchBytes bytes that a batch may take
 * @param metrics what the tasks count
 * @param load receive what the devices did: the application's, and the query's
 * @param surfaced whether the devices count by UDF and trace blocks
 */
record BatchSpec(
    List<CallSpec> calls,
    List<DataType> inputTypes,
    int batchRows,
    long batchBytes,
    BatchMetrics metrics,
    List<LoadAccumulator> load,
    boolean surfaced)
    implements Serializable {}
