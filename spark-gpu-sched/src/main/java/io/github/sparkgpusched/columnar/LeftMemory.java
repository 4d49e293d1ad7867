package io.github.sparkgpusched.columnar;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Memory of tasks that have ended while another thread fills or reads batches, as that which feeds
 * a script. That thread may close it. If it ends without (its program is gone, so it never asks for
 * another row), a thread of ours does, which lives as long as there is such memory. Thread-safe.
 */
final class LeftMemory {
  private static final long LOOK_EVERY_MILLIS = 100;

  /** Who may still touch it, by the memory. */
  @GuardedBy("LeftMemory.class")
  private static final Map<BatchMemory, Thread> LEFT = new HashMap<>();

  /** True from when the first is left until the thread that looks finds none, and ends. */
  @GuardedBy("LeftMemory.class")
  private static boolean looking;

  private LeftMemory() {}

  /** The user is to close the memory, which is closed for it once it has ended. */
  static synchronized void add(BatchMemory memory, Thread user) {
    LEFT.put(memory, user);
    if (!looking) {
      Thread looks = new Thread(null, LeftMemory::look, "gpusched-left-memory", 0, false);
      looks.setDaemon(true);
      looks.setContextClassLoader(LeftMemory.class.getClassLoader());
      looks.start();
      looking = true;
    }
  }

  static synchronized void remove(BatchMemory memory) {
    LEFT.remove(memory);
  }

  private static void look() {
    for (Thread user = next(); user != null; user = next()) {
      try {
        user.join(LOOK_EVERY_MILLIS);
      } catch (InterruptedException e) {
        continue; // nobody ends this thread but the last that is left
      }
      ended().forEach(BatchMemory::close);
    }
  }

  /** One of those that are waited for; null if there are none, and this thread is to end. */
  private static synchronized Thread next() {
    looking = !LEFT.isEmpty();
    return looking ? LEFT.values().iterator().next() : null;
  }

  private static synchronized List<BatchMemory> ended() {
    List<BatchMemory> ended = new ArrayList<>();
    LEFT.forEach(
        (memory, user) -> {
          if (!user.isAlive()) {
            ended.add(memory);
          }
        });
    return ended;
  }
}
