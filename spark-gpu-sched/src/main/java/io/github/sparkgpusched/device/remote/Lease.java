package io.github.sparkgpusched.device.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.columnar.SentValues;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.client.RpcResponseCallback;

/**
 * A core of another executor that is ours for a while. Any thread, but for the values that were
 * sent, which are the owner's.
 */
final class Lease {
  /** A lender that leaves a block unanswered for so long is left. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Blocks that may be with the lender, those of jobs that are over among them. */
  private static final int MOST_UNANSWERED = 4;

  private final Peer lender;
  private final Link link;
  private final int lane;

  /** What the lane keeps of a batch's values. */
  private final SentValues sent = new SentValues();

  /** Of the launcher whose batch that is; 0: of none. */
  private long launcher;

  /** Goes up with each batch. */
  private long batch;

  /**
   * When the blocks that were not answered yet were sent, by their numbers, the oldest first. Put
   * in by the owner, taken out by threads of the network.
   */
  @GuardedBy("unanswered")
  private final Map<Long, Long> unanswered = new LinkedHashMap<>();

  /**
   * @param lane its number there
   */
  Lease(Peer lender, Link link, int lane) {
    this.lender = lender;
    this.link = link;
    this.lane = lane;
  }

  Peer lender() {
    return lender;
  }

  Link link() {
    return link;
  }

  int lane() {
    return lane;
  }

  /** What the lane keeps of the values of the batch of the last {@link #sentFor}. */
  SentValues sent() {
    return sent;
  }

  /** The number of that batch: the lane keeps values of one. */
  long batch() {
    return batch;
  }

  /** The same for a launcher's batch. Of another one than the last the lane keeps nothing. */
  SentValues sentFor(long number) {
    if (launcher != number) {
      launcher = number;
      batch++;
      sent.clear();
    }
    return sent;
  }

  /** A message may not have come: nothing is known of what the lane keeps. */
  void forgetSent() {
    launcher = 0;
  }

  /** Sends a block; the callback says when it is {@link #answered}. Owner's thread. */
  void ask(long block, ByteBuffer message, RpcResponseCallback answer, long now) {
    synchronized (unanswered) {
      unanswered.put(block, now);
    }
    link.ask(message, answer);
  }

  /** Whatever the answer is. */
  void answered(long block) {
    synchronized (unanswered) {
      unanswered.remove(block);
    }
  }

  /** Whether the lender computes this block, if it computes any. */
  boolean isFirst(long block) {
    synchronized (unanswered) {
      return !unanswered.isEmpty() && unanswered.keySet().iterator().next() == block;
    }
  }

  /** Whether it is to answer something first, before it gets more blocks. */
  boolean isBusy() {
    synchronized (unanswered) {
      return unanswered.size() >= MOST_UNANSWERED;
    }
  }

  boolean awaitsAnswers() {
    synchronized (unanswered) {
      return !unanswered.isEmpty();
    }
  }

  /** Whether the lender has left a block unanswered for too long, though it may be connected. */
  boolean isSilent(long now) {
    synchronized (unanswered) {
      return !unanswered.isEmpty() && now - unanswered.values().iterator().next() > PATIENCE_NANOS;
    }
  }

  /** Whether the lender can be reached. */
  boolean holds() {
    return link.isActive();
  }

  /** The core is not wanted any more. */
  void giveBack() {
    if (holds()) {
      link.send(Message.GIVE.begin(4).putInt(lane).flip());
    }
  }

  /** The rows of a block are not wanted any more. */
  void cancel(long block) {
    if (holds()) {
      link.send(Message.CANCEL.begin(12).putInt(lane).putLong(block).flip());
    }
  }
}
