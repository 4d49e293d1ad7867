package io.github.sparkgpusched.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The keys of one concern, in the order in which they are declared. Each class of keys holds one,
 * and its static initialiser alone adds to it: whoever sees the group after that sees all of it.
 */
final class KeyGroup {
  private final List<ConfigEntry<?>> entries = new ArrayList<>();
  private final Map<String, String> removed = new TreeMap<>();

  /**
   * Begins the declaration of a key; it is in the group when its builder ends.
   *
   * @param name what follows {@link GpuSchedConfig#PREFIX}
   */
  KeyBuilder key(String name) {
    return new KeyBuilder(this, GpuSchedConfig.PREFIX + name);
  }

  /**
   * Says of a key of an earlier version that there is nothing like it now. It is refused.
   *
   * @param name what followed {@link GpuSchedConfig#PREFIX}
   * @param why half a sentence for who sets it
   */
  void removed(String name, String why) {
    removed.put(GpuSchedConfig.PREFIX + name, why);
  }

  /** Why keys of earlier versions are gone, by key. */
  Map<String, String> removed() {
    return Collections.unmodifiableMap(removed);
  }

  /** All keys that are declared. */
  List<ConfigEntry<?>> entries() {
    return Collections.unmodifiableList(entries);
  }

  <T> ConfigEntry<T> add(ConfigEntry<T> entry) {
    entries.add(entry);
    return entry;
  }
}
