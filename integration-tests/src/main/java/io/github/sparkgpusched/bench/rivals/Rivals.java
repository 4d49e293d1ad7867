package io.github.sparkgpusched.bench.rivals;

import io.github.sparkgpusched.bench.rivals.tree.Ends;
import io.github.sparkgpusched.bench.rivals.tree.PaperTree;
import io.github.sparkgpusched.bench.rivals.tree.Victims;
import io.github.sparkgpusched.schedule.Strategies;
import io.github.sparkgpusched.schedule.strategy.Deal;
import io.github.sparkgpusched.schedule.strategy.Strategy;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What is compared with each other: the plugin's strategies, and others that it does not have. */
public final class Rivals {
  /** The tree as its authors describe it; {@code tree} is the plugin's. */
  public static final String PAPER_TREE = "tree-paper";

  /** Most rows of a block of the trees whose steps are not timed. */
  private static final long MAX_STEP_ROWS = 4096;

  /** Most rows of a block of {@code worksteal-deque}. */
  private static final long GRAIN_ROWS = 64;

  private static final Map<String, Strategy> OTHERS = others(MAX_STEP_ROWS, GRAIN_ROWS);

  private Rivals() {}

  /**
   * The strategies that are not in the plugin.
   *
   * @param maxStepRows most rows of a block of the trees
   * @param grainRows most rows of a block of {@code worksteal-deque}
   */
  static Map<String, Strategy> others(long maxStepRows, long grainRows) {
    Map<String, Strategy> others = new LinkedHashMap<>();
    others.put("units", d -> new CursorDealer(d, CursorDealer.units(d.rows(), workers(d))));
    others.put("guided", d -> new CursorDealer(d, CursorDealer.guided(workers(d))));
    others.put("factoring", d -> new CursorDealer(d, CursorDealer.factoring(d.rows(), workers(d))));
    others.put("trapezoid", d -> new CursorDealer(d, CursorDealer.trapezoid(d.rows(), workers(d))));
    others.put("worksteal-deque", d -> new DequeDealer(d, grainRows));
    others.put(PAPER_TREE, d -> new PaperTree(d, Victims.FIND_MAX, Ends.FRONT, maxStepRows));
    others.put("tree-random", d -> new PaperTree(d, Victims.RANDOM, Ends.FRONT, maxStepRows));
    others.put("tree-in-order", d -> new PaperTree(d, Victims.IN_ORDER, Ends.FRONT, maxStepRows));
    others.put("tree-both-ends", d -> new PaperTree(d, Victims.FIND_MAX, Ends.RANDOM, maxStepRows));
    return others;
  }

  private static int workers(Deal deal) {
    return deal.workers().size();
  }

  /** All names, those of the plugin first. */
  public static Set<String> names() {
    Set<String> names = new LinkedHashSet<>(Strategies.names());
    names.addAll(OTHERS.keySet());
    return names;
  }

  /**
   * The strategy of this name.
   *
   * @param fixedRows rows of a block of {@code fixed}
   * @throws IllegalArgumentException if there is none
   */
  public static Strategy byName(String name, long fixedRows) {
    Strategy other = OTHERS.get(name);
    return other != null ? other : Strategies.byName(name, new Strategies.Options(fixedRows));
  }
}
