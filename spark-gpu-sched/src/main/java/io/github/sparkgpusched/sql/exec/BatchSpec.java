package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.runtime.LoadAccumulator;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * All that the tasks of a batched node need to know.
 *
 * @param calls the calls, at least one
 * @param inputTypes types of the columns that batches are filled with
 * @param passed ordinals among these of the columns that are passed on, in order
 * @param batchRows rows that a batch should have
 * @param batchBytes bytes that a batch may take
 * @param mayStopEarly whether a task may be left before its last row
 * @param adaptive whether rows are batched only as long as that is faster, so that another run has
 *     other batches
 * @param functions names what is computed, so that what is learned of it can be kept
 * @param plan the same whenever the same query is planned again
 * @param weight of the query beside others on the devices, before the calls' own priorities
 * @param strategy names how rows are dealt
 * @param metrics what the tasks count
 * @param load receive what the devices did: the application's, and the query's
 * @param surfaced whether the devices count by UDF and trace blocks
 * @param copies of the UDFs, of the task that has this
 */
record BatchSpec(
    List<CallSpec> calls,
    List<DataType> inputTypes,
    List<Integer> passed,
    int batchRows,
    long batchBytes,
    boolean mayStopEarly,
    boolean adaptive,
    String functions,
    int plan,
    double weight,
    String strategy,
    BatchMetrics metrics,
    List<LoadAccumulator> load,
    boolean surfaced,
    TaskCopies copies)
    implements Serializable {
  /** Whether other executors may compute all of the calls. */
  boolean mayTravel() {
    return calls.stream().allMatch(call -> call.call().mayTravel());
  }

  /** The parts, put together by name. Not thread-safe. */
  static final class Builder {
    List<CallSpec> calls;
    List<DataType> inputTypes;
    List<Integer> passed;
    int batchRows;
    long batchBytes;
    boolean mayStopEarly;
    boolean adaptive;
    String functions;
    int plan;
    double weight;
    String strategy;
    BatchMetrics metrics;
    List<LoadAccumulator> load;
    boolean surfaced;

    BatchSpec build() {
      return new BatchSpec(
          calls,
          inputTypes,
          passed,
          batchRows,
          batchBytes,
          mayStopEarly,
          adaptive,
          functions,
          plan,
          weight,
          strategy,
          metrics,
          load,
          surfaced,
          new TaskCopies());
    }
  }
}
