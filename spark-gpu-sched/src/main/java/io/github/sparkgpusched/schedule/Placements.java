package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.api.PlacementPolicy;
import java.util.Locale;

/** The placement policies by their names. */
public final class Placements {
  private Placements() {}

  /**
   * A new policy.
   *
   * @param name {@code roundRobin} or {@code leastLoaded} in any case, or the name of a class with
   *     a public constructor without parameters
   * @param loader where that class is looked for
   * @throws IllegalArgumentException if there is no such class, it is no policy, or it cannot be
   *     made
   */
  public static PlacementPolicy byName(String name, ClassLoader loader) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "roundrobin" -> new RoundRobin();
      case "leastloaded" -> new LeastLoaded();
      default -> ofClass(name, loader);
    };
  }

  private static PlacementPolicy ofClass(String name, ClassLoader loader) {
    try {
      return Class.forName(name, true, loader)
          .asSubclass(PlacementPolicy.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
      throw new IllegalArgumentException(
          "spark.gpusched.placement='"
              + name
              + "' is not allowed: give roundRobin, leastLoaded, or the name of a class on the"
              + " executor's class path that implements "
              + PlacementPolicy.class.getName()
              + " and has a public constructor without parameters",
          e);
    }
  }
}
