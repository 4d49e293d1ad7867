package io.github.sparkgpusched.schedule;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that holds so many entries and no more: what was looked up or put least lately goes first.
 * Not thread-safe, and a lookup is a write.
 */
public final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int capacity;

  /**
   * @param capacity entries to be held at most
   */
  public RecentlyUsed(int capacity) {
    super(16, 0.75f, true);
    this.capacity = capacity;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > capacity;
  }
}
