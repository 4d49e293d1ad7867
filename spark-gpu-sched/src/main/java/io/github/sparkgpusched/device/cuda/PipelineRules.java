package io.github.sparkgpusched.device.cuda;

import java.util.ArrayDeque;

/**
 * The rules that a device's owner has to keep, checked as it runs: DELIVER_OLDEST_FIRST,
 * exactly-once publication (with {@link PublishedRows}), and release on error: a block that is
 * given up leaves its place to others. Owner's thread only.
 */
final class PipelineRules {
  private final int depth;

  /** Launches that were kicked off and not closed, the oldest first. */
  private final ArrayDeque<Object> inFlight = new ArrayDeque<>();

  PipelineRules(int depth) {
    this.depth = depth;
  }

  static IllegalStateException broken(String what) {
    return new IllegalStateException("a pipeline's order was broken, which is a bug: " + what);
  }

  void kicked(Object launch) {
    if (inFlight.size() >= depth) {
      throw broken("DRAIN_BEFORE_REKICK: " + depth + " launches are in flight, and none is closed");
    }
    inFlight.add(launch);
  }

  boolean isOldest(Object launch) {
    return inFlight.peek() == launch;
  }

  void delivered(Object launch) {
    if (!isOldest(launch)) {
      throw broken("DELIVER_OLDEST_FIRST: an older launch is neither delivered nor given up");
    }
  }

  /** Also of a launch that was never kicked off. */
  void closed(Object launch) {
    inFlight.remove(launch);
  }

  /** True if no launch is in flight. */
  boolean isEmpty() {
    return inFlight.isEmpty();
  }
}
