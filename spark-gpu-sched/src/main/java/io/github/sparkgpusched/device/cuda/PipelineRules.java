package io.github.sparkgpusched.device.cuda;

import java.util.ArrayDeque;

/**
 * The rules that a device's owner has to keep, checked as it runs: DELIVER_OLDEST_FIRST,
 * exactly-once publication (with {@link PublishedRows}), and release on error: a block that is
 * given up leaves its place to others. Owner's thread only.
 */
final class PipelineRules {
  private final int depth;

  /** Blocks that were kicked off and not closed, the oldest first. */
  private final ArrayDeque<Object> inFlight = new ArrayDeque<>();

  PipelineRules(int depth) {
    this.depth = depth;
  }

  static IllegalStateException broken(String what) {
    return new IllegalStateException("a pipeline's order was broken, which is a bug: " + what);
  }

  void kicked(Object block) {
    if (inFlight.size() >= depth) {
      throw broken("DRAIN_BEFORE_REKICK: " + depth + " blocks are in flight, and none is closed");
    }
    inFlight.add(block);
  }

  boolean isOldest(Object block) {
    return inFlight.peek() == block;
  }

  void delivered(Object block) {
    if (!isOldest(block)) {
      throw broken("DELIVER_OLDEST_FIRST: an older block is neither delivered nor given up");
    }
  }

  /** Also of a block that was never kicked off. */
  void closed(Object block) {
    inFlight.remove(block);
  }

  /** True if no block is in flight. */
  boolean isEmpty() {
    return inFlight.isEmpty();
  }
}
