package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.FixedDealer;
import io.github.sparkgpusched.schedule.strategy.StaticDealer;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.tree.TreeDealer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The strategies by the names that users give them. */
public final class Strategies {
  /**
   * What the strategies that have a parameter take from the configuration.
   *
   * @param fixedRows rows of a block of {@code fixed}
   */
  public record Options(long fixedRows) {
    public static final Options DEFAULT = new Options(256);
  }

  /** Name of the strategy that is best known to do well everywhere. */
  public static final String DEFAULT = "adaptive";

  private static final Map<String, Function<Options, Strategy>> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("adaptive", options -> new Adaptive());
    BY_NAME.put("static", options -> StaticDealer::new);
    BY_NAME.put("fixed", options -> deal -> new FixedDealer(deal, options.fixedRows()));
    BY_NAME.put("tree", options -> TreeDealer::new);
  }

  private Strategies() {}

  /** All names, the default first, in the order in which they are documented. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(BY_NAME.keySet());
  }

  /**
   * The strategy of this name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static Strategy byName(String name, Options options) {
    Function<Options, Strategy> strategy = BY_NAME.get(name);
    if (strategy == null) {
      throw new IllegalArgumentException(
          "no strategy is called '" + name + "'; there are " + String.join(", ", BY_NAME.keySet()));
    }
    return strategy.apply(options);
  }
}
