package io.github.sparkgpusched.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one device computed last, as a bounded number of spans: blocks that follow each other at
 * once, for the same task, are one. Safe for use by any threads.
 *
 * <p>Writers never wait: one that meets another thread inside leaves its block out of the picture,
 * and counts it as missed. It is a picture, and no account: counts are in {@link LoadEntry}.
 */
final class BlockTrace {
  /** Blocks with less than this between them are one span. */
  private static final long GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** How often a reader looks whether the writer inside has left, before it goes without. */
  private static final int READER_TRIES = 10_000;

  private static final class Span {
    TaskWork work;
    boolean stolen;
    long startNanos;
    long endNanos;
    long rows;
    long blocks;
  }

  private final String device;

  /** The last spans, as a ring; null where none was yet. Used by whoever holds {@link #inside}. */
  private final Span[] spans;

  /** Spans begun since the last {@link #drain}. Used by whoever holds {@link #inside}. */
  private long begun;

  /** Numbers before and after the one that is used: 128 bytes, as the prefetcher takes. */
  private static final int PAD = 32;

  /**
   * In its middle, 1 while a thread is inside, else 0: set by compare-and-set by whoever enters,
   * cleared by a release write of the same thread, which makes what it did visible to the next. An
   * array, so that no other device's is in the same cache line.
   */
  private final AtomicIntegerArray inside = new AtomicIntegerArray(2 * PAD + 1);

  /** Blocks that are in no span that was or will be read. */
  private final AtomicLong missed = new AtomicLong();

  BlockTrace(String device, int capacity) {
    this.device = device;
    spans = new Span[capacity];
  }

  void add(TaskWork work, long rows, long startNanos, long endNanos, boolean stolen) {
    if (!enter()) {
      missed.incrementAndGet();
      return;
    }
    Span last = begun == 0 ? null : spans[(int) ((begun - 1) % spans.length)];
    if (last != null
        && last.work == work
        && last.stolen == stolen
        && startNanos - last.endNanos < GAP_NANOS
        && startNanos - last.endNanos > -GAP_NANOS) {
      last.endNanos = endNanos;
      last.rows += rows;
      last.blocks++;
    } else {
      Span span = spanAt((int) (begun % spans.length));
      if (begun >= spans.length) {
        missed.addAndGet(span.blocks);
      }
      begun++;
      span.work = work;
      span.stolen = stolen;
      span.startNanos = startNanos;
      span.endNanos = endNanos;
      span.rows = rows;
      span.blocks = 1;
    }
    leave();
  }

  private boolean enter() {
    return inside.compareAndSet(PAD, 0, 1);
  }

  private void leave() {
    inside.setRelease(PAD, 0);
  }

  /** Made when first used: most devices of a large executor have a few. */
  private Span spanAt(int index) {
    if (spans[index] == null) {
      spans[index] = new Span();
    }
    return spans[index];
  }

  /**
   * Takes the spans since the last call out, oldest first; none if a writer does not leave.
   *
   * @param epochMicros microseconds since 1970 at which {@link System#nanoTime} was 0
   */
  List<BlockSpan> drain(long epochMicros) {
    for (int tries = 0; !enter(); tries++) {
      if (tries == READER_TRIES) {
        return List.of();
      }
      Thread.onSpinWait();
    }
    int count = (int) Math.min(begun, spans.length);
    List<BlockSpan> drained = new ArrayList<>(count);
    for (long i = begun - count; i < begun; i++) {
      Span span = spans[(int) (i % spans.length)];
      BlockSpan.Builder done = new BlockSpan.Builder();
      done.device = device;
      done.startMicros = epochMicros + TimeUnit.NANOSECONDS.toMicros(span.startNanos);
      done.endMicros = epochMicros + TimeUnit.NANOSECONDS.toMicros(span.endNanos);
      done.rows = span.rows;
      done.blocks = span.blocks;
      done.stolen = span.stolen;
      done.stageId = span.work.stageId();
      done.stageAttempt = span.work.stageAttempt();
      done.taskId = span.work.taskId();
      done.lentTo = span.work.lentTo();
      drained.add(done.build());
      span.work = null; // tasks end; the ring must not keep them
    }
    begun = 0;
    leave();
    return drained;
  }

  /** Blocks that no {@link #drain} has given or will give, up to now. */
  long missed() {
    return missed.get();
  }
}
