package io.github.sparkgpusched.device.cuda;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import jcuda.driver.CUfunction;

/**
 * The kernels that a device may be at work for, those of a block together, the oldest first: from
 * their launch until the host has seen that this block, or a younger one, is done. So they outlast
 * a block that nobody wants any more. Owner's thread only.
 */
final class UnderWay {
  private record Kernels(Object block, Set<CUfunction> functions) {}

  private final ArrayDeque<Kernels> blocks = new ArrayDeque<>();

  /** A block's kernels are launched now; nothing is remembered of one that has none. */
  void launched(Object block, Set<CUfunction> functions) {
    if (!functions.isEmpty()) {
      blocks.add(new Kernels(block, functions));
    }
  }

  /** A block is done, and so are those before it; may be said again. */
  void done(Object block) {
    if (blocks.stream().anyMatch(kernels -> kernels.block() == block)) {
      while (blocks.remove().block() != block) {}
    }
  }

  /** Nothing runs on the device. */
  void allDone() {
    blocks.clear();
  }

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  List<Set<CUfunction>> functions() {
    return blocks.stream().map(Kernels::functions).toList();
  }
}
