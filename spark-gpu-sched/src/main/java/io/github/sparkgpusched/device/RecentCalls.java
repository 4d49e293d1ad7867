package io.github.sparkgpusched.device;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Calls by their numbers, those that were used last: so many, and of functions with so many bytes
 * together, but at least the one that came last. A function may bring a table of many megabytes,
 * and each execution of a query has calls of its own. A query whose function is gone before an
 * executor has asked for it keeps its rows, so that a large heap keeps more. Thread-safe.
 */
public final class RecentCalls {
  private static final int MOST_CALLS = 1000;
  private static final long LEAST_MOST_BYTES = 64 << 20;
  private static final int PART_OF_HEAP = 16;

  private final long mostBytes;

  /** What was used least lately first. */
  @GuardedBy("this")
  private final Map<Long, SharedCalls.Shared> calls = new LinkedHashMap<>(16, 0.75f, true);

  /** Of their functions. */
  @GuardedBy("this")
  private long bytes;

  public RecentCalls() {
    this(Math.max(LEAST_MOST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
  }

  RecentCalls(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Null if it is not there, or not any more. */
  public synchronized SharedCalls.Shared get(long number) {
    return calls.get(number);
  }

  public synchronized void put(SharedCalls.Shared call) {
    SharedCalls.Shared before = calls.put(call.call().number(), call);
    bytes += call.udf().bytes() - (before == null ? 0 : before.udf().bytes());
    Iterator<SharedCalls.Shared> eldest = calls.values().iterator();
    while (calls.size() > 1 && (calls.size() > MOST_CALLS || bytes > mostBytes)) {
      bytes -= eldest.next().udf().bytes();
      eldest.remove();
    }
  }
}
