package io.github.sparkgpusched.load;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which executor computed a stage's partition last: when a stage is retried, as an executor was
 * lost with what it had written, what that one computed was in vain after all. Remembers the last
 * partitions, a bounded number. Not thread-safe.
 */
final class DonePartitions {
  static final int MOST = 20_000;

  /** What a successful attempt had computed, and by whom. */
  record Done(String executorId, Work work) {}

  private record Key(int stageId, int partition) {}

  private final Map<Key, Done> partitions =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Done> eldest) {
          return size() > MOST;
        }
      };

  /** Puts what was computed. Returns what this repeats, or null. */
  Done put(int stageId, int partition, Done done) {
    return partitions.put(new Key(stageId, partition), done);
  }
}
