package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.api.Transfers;
import io.github.sparkgpusched.columnar.ColumnCodec;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.Launch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.client.RpcResponseCallback;

/**
 * A block at a lender. Whatever becomes of the lender, the block is done at some time: rows that
 * did not come back are left. Owner's thread only, but for the answer.
 */
final class RemoteLaunch implements Launch, RpcResponseCallback {
  /** A lender that says nothing for so long is left. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final RemoteDevice device;
  private final RemoteExecutors executors;
  private final List<CallOnDevice> calls;

  /** Null if there was no lender when it was staged. */
  private final Lease lease;

  private final long block;
  private final int from;
  private final int until;

  /** Null once sent, and if there is no lender. */
  private ByteBuffer message;

  private int sentBytes;
  private long startNanos;

  /** Set once, by a thread of the network; both null until then. */
  private volatile ByteBuffer answer;

  private volatile Throwable failure;

  // Of the answer, once it was read.
  private boolean done;
  private int rows;
  private long nanos = -1;
  private ByteBuffer results;

  RemoteLaunch(
      RemoteDevice device,
      RemoteExecutors executors,
      List<CallOnDevice> calls,
      Lease lease,
      long block,
      long from,
      long until,
      ByteBuffer message) {
    this.device = device;
    this.executors = executors;
    this.calls = calls;
    this.lease = lease;
    this.block = block;
    this.from = (int) from;
    this.until = (int) until;
    this.message = message;
  }

  @Override
  public void start() {
    startNanos = System.nanoTime();
    if (lease != null) {
      sentBytes = message.remaining();
      lease.client().sendRpc(message, this);
      message = null;
    }
  }

  @Override
  public void onSuccess(ByteBuffer response) {
    answer = Message.copy(response);
    device.wake();
  }

  @Override
  public void onFailure(Throwable e) {
    failure = e;
    device.wake();
  }

  @Override
  public boolean isDone() {
    if (done) {
      return true;
    }
    if (answer != null) {
      read(answer);
    } else if (lease == null) {
      done = true;
    } else if (failure != null
        || !lease.holds()
        || System.nanoTime() - startNanos > PATIENCE_NANOS) {
      executors.lost(lease, failure);
      device.unbind(lease);
      done = true;
    }
    return done;
  }

  private void read(ByteBuffer in) {
    done = true;
    device.used();
    byte status = in.get();
    if (status == BlockMessage.CANNOT) {
      executors.refused(calls, Message.text(in));
      return;
    }
    int computed = in.getInt();
    nanos = in.getLong();
    if (computed >= 0 && computed <= until - from) {
      rows = computed;
      results = in;
    }
    if (status != BlockMessage.DONE) {
      device.unbind(lease);
    }
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
    if (!done && lease != null) {
      lease.cancel(block);
    }
  }
}
