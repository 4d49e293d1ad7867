package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.api.CostHint;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.CallColumns;
import io.github.sparkgpusched.device.host.HostCall;
import io.github.sparkgpusched.schedule.RangeBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The way to compute rows of a task's batches by one thread's copies of its UDFs, kept from batch
 * to batch. Used by that thread alone, but for {@link #releaseResults}.
 */
final class ThreadCalls implements RangeBody.Worker {
  /** Rows between two looks at the clock: few enough that costly rows do not hide in them. */
  private static final int MAX_PIECE_ROWS = 256;

  /** A block is computed in about so many pieces or more, if it has the rows. */
  private static final int MIN_PIECES = 4;

  /** A block that has taken this many times what it should is handed back. */
  private static final int HAND_BACK_BLOCKS = 4;

  /** The same beside launch devices: blocks there are as long as a launch. */
  private static final int HAND_BACK_BLOCKS_BESIDE_DEVICES = 16;

  private final BooleanSupplier interrupted;
  private final long pieceNanos;
  private final List<HostCall> calls = new ArrayList<>();
  private final List<GpuUdf> udfs;
  private final List<Optional<CostHint>> hints = new ArrayList<>();
  private int pieceRows = MAX_PIECE_ROWS;
  private long handBackNanos;

  /** Null while the thread works for no device. */
  private TaskVisit visit;

  /**
   * Sets the UDFs up.
   *
   * @param udfs the thread's copies, one for each call
   * @param columns of the calls
   * @param memory where string results live
   * @param interrupted whether the task is to end
   * @param pieceNanos how long a piece of a block should take
   * @throws GpuUdfException if one cannot be set up
   */
  ThreadCalls(
      List<CallSpec> specs,
      List<GpuUdf> udfs,
      List<CallColumns> columns,
      BatchMemory memory,
      BooleanSupplier interrupted,
      long pieceNanos) {
    this.udfs = udfs;
    this.interrupted = interrupted;
    this.pieceNanos = pieceNanos;
    for (int i = 0; i < specs.size(); i++) {
      add(specs.get(i), udfs.get(i), columns.get(i), memory);
    }
  }

  private void add(CallSpec call, GpuUdf udf, CallColumns columns, BatchMemory memory) {
    try {
      calls.add(new HostCall(call.call(), udf, columns, memory, interrupted));
      hints.add(Objects.requireNonNull(udf.costHint(), "costHint()"));
    } catch (RuntimeException | LinkageError e) {
      throw notSetUp(call, e);
    }
  }

  /**
   * A new copy of a call's UDF.
   *
   * @throws GpuUdfException if it cannot be copied
   */
  static GpuUdf copy(CallSpec call, ClassLoader loader) {
    try {
      return call.udf().copy(loader);
    } catch (Exception | LinkageError e) {
      // Exception: Spark's serializer is Scala and declares none of what it throws.
      throw notSetUp(call, e);
    }
  }

  private static GpuUdfException notSetUp(CallSpec call, Throwable cause) {
    return new GpuUdfException(
        "UDF '" + call.call().name() + "' cannot be set up on an executor: " + cause, cause);
  }

  /** The UDFs, one for each call. */
  List<GpuUdf> udfs() {
    return udfs;
  }

  /** Whether a function computes rows together. */
  boolean computesTogether() {
    return calls.stream().anyMatch(HostCall::computesTogether);
  }

  /** The UDFs' cost hints, one for each call. */
  List<Optional<CostHint>> hints() {
    return hints;
  }

  /** What to throw if a call's cost hint throws. */
  GpuUdfException costHintFailed(int call, int row, RuntimeException cause) {
    return calls.get(call).costHintFailed(row, cause);
  }

  /** Begins a batch, unless this thread was already at it. */
  void beginBatch(long number) {
    calls.forEach(call -> call.beginBatch(number));
  }

  /**
   * Begins to work for a device.
   *
   * @param visit ended by {@link #close}
   * @param besideDevices whether launch devices compute rows of the batch too
   */
  void enter(TaskVisit visit, long batch, boolean besideDevices) {
    this.visit = visit;
    this.handBackNanos =
        pieceNanos * (besideDevices ? HAND_BACK_BLOCKS_BESIDE_DEVICES : HAND_BACK_BLOCKS);
    beginBatch(batch);
  }

  /** Forgets results, and gives the memory of strings back. Task thread, while no job runs. */
  void releaseResults() {
    calls.forEach(HostCall::releaseResults);
  }

  @Override
  public void run(long from, long until) {
    for (HostCall call : calls) {
      call.run((int) from, (int) until);
    }
    visit.dropInterrupt();
  }

  /**
   * Computes a block in small pieces, and hands back the rest of a block that takes far too long:
   * rows cost what they cost, and the next ones may cost a million times as much as those that the
   * block was sized by.
   */
  @Override
  public long runOrHandBack(long from, long until) {
    int row = (int) from;
    long begin = System.nanoTime();
    long now = begin;
    int mostRows = (int) ((until - from + MIN_PIECES - 1) / MIN_PIECES);
    do {
      int rows = Math.min(pieceRows, mostRows);
      int end = (int) Math.min(until, row + rows);
      run(row, end);
      int first = row;
      row = end;
      long before = now;
      now = System.nanoTime();
      pieceRows = pieceRowsAfter(end - first, now - before);
    } while (row < until && now - begin < handBackNanos && !interrupted.getAsBoolean());
    return row;
  }

  /** As many rows as take a piece's time, if the next ones cost what the last piece did. */
  private int pieceRowsAfter(int done, long nanos) {
    double rows = (double) done * pieceNanos / Math.max(1, nanos);
    return (int) Math.max(1, Math.min(MAX_PIECE_ROWS, rows));
  }

  @Override
  public void close() {
    visit.close();
    visit = null;
  }
}
