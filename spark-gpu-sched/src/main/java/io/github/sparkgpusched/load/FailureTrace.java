package io.github.sparkgpusched.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;

/**
 * The first failures of a device since its last report, a bounded number: what failed first says
 * most. Thread-safe; errors are rare, so that a lock costs nothing.
 */
final class FailureTrace {
  private static final int MOST = 8;

  @GuardedBy("this")
  private List<BlockFailure> failures = List.of();

  synchronized void add(BlockFailure failure) {
    if (failures.size() < MOST) {
      List<BlockFailure> more = new ArrayList<>(failures);
      more.add(failure);
      failures = List.copyOf(more);
    }
  }

  synchronized boolean isEmpty() {
    return failures.isEmpty();
  }

  /** Takes them out. */
  synchronized List<BlockFailure> drain() {
    List<BlockFailure> drained = failures;
    failures = List.of();
    return drained;
  }
}
