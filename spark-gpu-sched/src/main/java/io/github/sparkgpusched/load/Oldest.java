package io.github.sparkgpusched.load;

import java.util.Map;
import java.util.function.Predicate;

/** Keeps maps in the order of insertion bounded. */
final class Oldest {
  private Oldest() {}

  /** Removes the oldest entry of a map that has more than so many. */
  static <K, V> void forget(Map<K, V> map, int most) {
    forget(map, most, value -> true);
  }

  /** The same; rather one whose value is as {@code rather} says, if there is one. */
  static <K, V> void forget(Map<K, V> map, int most, Predicate<V> rather) {
    if (map.size() > most) {
      K oldest =
          map.entrySet().stream()
              .filter(entry -> rather.test(entry.getValue()))
              .findFirst()
              .orElseGet(() -> map.entrySet().iterator().next())
              .getKey();
      map.remove(oldest);
    }
  }
}
