package io.github.sparkgpusched.bench.cpu;

import io.github.sparkgpusched.bench.rivals.Rivals;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;

/** All ways to run a kernel on so many threads. */
final class Ways implements AutoCloseable {
  static final String ADAPTIVE = "adaptive";
  static final String UNITS = "units";
  static final String FORK_JOIN = "ForkJoinPool n/4W";
  static final String STREAM = "parallel stream";
  static final String PLAIN = "plain, in equal parts";

  private static final int[] FIXED_ROWS = {16, 256};

  private final Team team;
  private final ForkJoinPool pool;
  private final List<Way> ways = new ArrayList<>();

  Ways(int workers) {
    team = new Team(workers);
    pool = new ForkJoinPool(workers);
    add(ADAPTIVE, ADAPTIVE, 1);
    for (String name : new TreeSet<>(Rivals.names())) {
      if (name.equals("fixed")) {
        for (int rows : FIXED_ROWS) {
          add("fixed-" + rows, name, rows);
        }
      } else if (!name.equals(ADAPTIVE)) {
        add(name, name, 1);
      }
    }
    ways.add(new ForkJoinWay(FORK_JOIN, pool, false));
    ways.add(new ForkJoinWay("ForkJoinPool surplus", pool, true));
    ways.add(new StreamWay(STREAM, pool));
    ways.add(new PlainWay(PLAIN, team));
  }

  private void add(String name, String strategy, long fixedRows) {
    boolean timed = strategy.equals(ADAPTIVE) || strategy.equals("tree");
    ways.add(new DealerWay(name, Rivals.byName(strategy, fixedRows), team, timed));
  }

  List<Way> all() {
    return ways;
  }

  @Override
  public void close() {
    team.close();
    pool.shutdownNow();
  }
}
