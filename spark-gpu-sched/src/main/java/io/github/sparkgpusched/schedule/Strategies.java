package io.github.sparkgpusched.schedule;

import io.github.sparkgpusched.schedule.strategy.CursorDealer;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Dealer;
import io.github.sparkgpusched.schedule.strategy.StaticDealer;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import io.github.sparkgpusched.schedule.strategy.tree.DequeDealer;
import io.github.sparkgpusched.schedule.strategy.tree.Ends;
import io.github.sparkgpusched.schedule.strategy.tree.TreeDealer;
import io.github.sparkgpusched.schedule.strategy.tree.Victims;
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
   * @param treeMaxStepRows most rows of a block of the trees whose steps are not timed
   * @param dequeGrainRows most rows of a block of {@code worksteal-deque}
   */
  public record Options(long fixedRows, long treeMaxStepRows, long dequeGrainRows) {
    public static final Options DEFAULT = new Options(256, 4096, 64);
  }

  /** Name of the strategy that is best known to do well everywhere. */
  public static final String DEFAULT = "adaptive";

  private static final Map<String, Function<Options, Strategy>> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("adaptive", options -> new Adaptive());
    BY_NAME.put("static", options -> StaticDealer::new);
    BY_NAME.put("fixed", o -> deal -> new CursorDealer(deal, CursorDealer.fixed(o.fixedRows())));
    BY_NAME.put("units", o -> d -> new CursorDealer(d, CursorDealer.units(d.rows(), workers(d))));
    BY_NAME.put("guided", o -> d -> new CursorDealer(d, CursorDealer.guided(workers(d))));
    BY_NAME.put(
        "factoring", o -> d -> new CursorDealer(d, CursorDealer.factoring(d.rows(), workers(d))));
    BY_NAME.put(
        "trapezoid", o -> d -> new CursorDealer(d, CursorDealer.trapezoid(d.rows(), workers(d))));
    BY_NAME.put("worksteal-deque", o -> deal -> new DequeDealer(deal, o.dequeGrainRows()));
    BY_NAME.put("tree", o -> d -> tree(d, Victims.FIND_MAX, Ends.FRONT, o));
    BY_NAME.put("tree-random", o -> d -> tree(d, Victims.RANDOM, Ends.FRONT, o));
    BY_NAME.put("tree-in-order", o -> d -> tree(d, Victims.IN_ORDER, Ends.FRONT, o));
    BY_NAME.put("tree-both-ends", o -> d -> tree(d, Victims.FIND_MAX, Ends.RANDOM, o));
    BY_NAME.put("tree-timed", o -> d -> TreeDealer.timed(d, Victims.FIND_MAX));
  }

  private Strategies() {}

  private static int workers(Deal deal) {
    return deal.workers().size();
  }

  private static Dealer tree(Deal deal, Victims victims, Ends ends, Options options) {
    return TreeDealer.exponential(deal, victims, ends, options.treeMaxStepRows());
  }

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
