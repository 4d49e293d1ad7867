package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.columnar.ColumnCodec;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.JobRefusedException;
import io.github.sparkgpusched.schedule.Launch;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.spark.network.client.RpcResponseCallback;

/**
 * A block at a lender. Whatever becomes of the lender, the block is done at some time: rows that
 * did not come back are left. Owner's thread only, but for the answer.
 */
final class RemoteLaunch implements Launch, RpcResponseCallback {
  private final RemoteDevice device;
  private final Borrower borrower;
  private final List<CallOnDevice> calls;

  /** Null if there was no lender when it was staged. */
  private final Lease lease;

  private final long block;
  private final int from;
  private final int until;

  /** Null once sent, and if there is no lender. */
  private ByteBuffer message;

  private final int sentBytes;
  private long startNanos;

  /** When the answer came. Written by a thread of the network, before that. */
  private long answeredNanos;

  /** Set once, by a thread of the network; both null until then. */
  private volatile ByteBuffer answer;

  private volatile Throwable failure;

  /** Whether the lender was computing the block when it was lost. Written before the failure. */
  private boolean wasBegun;

  // Of the answer, once it was read.
  private boolean done;
  private int rows;

  /**
   * How many of the rows that did not come back are for the task's threads: a function has failed
   * at one of them, or the lender was lost while it computed them, or one is too large. Those
   * behind them are dealt anew.
   */
  private int stayHere;

  private long nanos = -1;
  private ByteBuffer results;

  RemoteLaunch(
      RemoteDevice device,
      Borrower borrower,
      List<CallOnDevice> calls,
      Lease lease,
      long block,
      long from,
      long until,
      ByteBuffer message) {
    this.device = device;
    this.borrower = borrower;
    this.calls = calls;
    this.lease = lease;
    this.block = block;
    this.from = (int) from;
    this.until = (int) until;
    this.message = message;
    this.sentBytes = message == null ? 0 : message.remaining();
  }

  /** A block for which there is no lender any more. */
  static RemoteLaunch dealtAnew(
      RemoteDevice device,
      Borrower borrower,
      List<CallOnDevice> calls,
      long block,
      long from,
      long until) {
    return new RemoteLaunch(device, borrower, calls, null, block, from, until, null);
  }

  /** A row that is too large for a journey. */
  static RemoteLaunch atHome(
      RemoteDevice device,
      Borrower borrower,
      List<CallOnDevice> calls,
      long block,
      long from,
      long until) {
    RemoteLaunch launch = dealtAnew(device, borrower, calls, block, from, until);
    launch.stayHere = (int) (until - from);
    return launch;
  }

  @Override
  public void start() {
    startNanos = borrower.nanoTime();
    if (lease != null) {
      lease.ask(block, message, this, startNanos);
      message = null;
    }
  }

  @Override
  public void onSuccess(ByteBuffer response) {
    lease.answered(block);
    answeredNanos = borrower.nanoTime();
    answer = Message.copy(response);
    device.wake();
  }

  @Override
  public void onFailure(Throwable e) {
    wasBegun = lease.isFirst(block);
    lease.answered(block);
    failure = e;
    device.wake();
  }

  @Override
  public boolean isDone() throws JobRefusedException {
    if (done) {
      return true;
    }
    if (answer != null) {
      read(answer);
    } else if (lease == null) {
      done = true;
    } else if (failure != null || !lease.holds()) {
      borrower.cut(lease, failure);
      lost();
    } else if (lease.isSilent(borrower.nanoTime())) {
      borrower.silent(lease, null);
      lost();
    }
    return done;
  }

  /**
   * It may have been one of these rows by which the lender was lost: they would take one executor
   * after the other with them. In this one they end the task's attempt, as in plain Spark.
   */
  private void lost() {
    if (failure == null ? lease.isFirst(block) : wasBegun) {
      stayHere = until - from;
    }
    device.unbind(lease);
    done = true;
  }

  private void read(ByteBuffer in) throws JobRefusedException {
    done = true;
    device.used();
    try {
      readWhatCame(in);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      rows = 0;
      borrower.silent(lease, e);
      device.unbind(lease);
    }
  }

  /**
   * @throws IllegalArgumentException if that is no answer; so is BufferUnderflowException
   */
  private void readWhatCame(ByteBuffer in) throws JobRefusedException {
    byte status = in.get();
    if (status == BlockMessage.CANNOT) {
      String reason = Message.text(in);
      lease.forgetSent();
      borrower.refused(calls, reason);
      throw new JobRefusedException(reason);
    }
    int computed = in.getInt();
    nanos = in.getLong();
    long thereNanos = in.getLong();
    if (computed < 0 || computed > until - from) {
      throw new IllegalArgumentException(computed + " rows of " + (until - from));
    }
    ByteBuffer columns = in.duplicate().order(in.order());
    // Who has computed nothing may have left before it read the calls.
    if (computed > 0 || status == BlockMessage.FAILED) {
      for (CallOnDevice call : calls) {
        ColumnCodec.skip(columns, call.columns().result(), computed);
      }
    }
    rows = computed;
    results = in;
    if (rows > 0) {
      device.travelled(answeredNanos - startNanos - thereNanos);
    }
    if (status == BlockMessage.FAILED) {
      readFailure(columns);
    } else if (status != BlockMessage.DONE) {
      device.unbind(lease);
    }
  }

  /** Its time is that of few rows, and says nothing of the others. */
  private void readFailure(ByteBuffer in) throws JobRefusedException {
    int tried = in.getInt();
    if (tried < 0 || tried > until - from - rows) {
      throw new IllegalArgumentException(tried + " rows behind " + rows);
    }
    long call = in.getLong();
    String reason = Message.text(in);
    stayHere = tried;
    nanos = -1;
    if (borrower.failed(calls, call, reason)) {
      throw new JobRefusedException(reason);
    }
  }

  @Override
  public long reached() {
    return from + (long) rows + stayHere;
  }

  @Override
  public long computeNanos() {
    return nanos;
  }

  @Override
  public Transfers transfers() {
    return new Transfers(sentBytes, answer == null ? 0 : answer.capacity(), 1);
  }

  @Override
  public void publish(long first, long end, RowsLeft left) {
    int reached = (int) Math.min(end, from + (long) rows);
    if (reached > first) {
      ByteBuffer in = results.duplicate().order(results.order());
      for (CallOnDevice call : calls) {
        ColumnCodec.copy(
            in, rows, call.columns().result(), call.results(), from, (int) first, reached);
      }
    }
    if (Math.max(first, reached) < end) {
      left.add(Math.max(first, reached), end);
    }
  }

  @Override
  public void close() {
    if (message != null) {
      lease.forgetSent(); // it was never sent
    }
    if (!done && lease != null) {
      lease.cancel(block);
    }
  }
}
