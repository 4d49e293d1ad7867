package io.github.sparkgpusched.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The keys of one concern, in the order in which they are declared. Each class of keys holds one,
 * and its static initialiser alone adds to it: whoever sees the group after that sees all of it.
 */
final class KeyGroup {
  private final List<ConfigEntry<?>> entries = new ArrayList<>();

  /**
   * Begins the declaration of a key; it is in the group when its builder ends.
   *
   * @param name what follows {@link GpuSchedConfig#PREFIX}
   */
  KeyBuilder key(String name) {
    return new KeyBuilder(this, GpuSchedConfig.PREFIX + name);
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
