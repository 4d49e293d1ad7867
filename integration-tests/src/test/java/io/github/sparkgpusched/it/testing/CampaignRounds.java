package io.github.sparkgpusched.it.testing;

import io.github.sparkgpusched.it.cluster.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cases of a campaign, in lanes beside each other, until its time or its count is over or
 * something is left over: after each round of them, when no case runs, what this JVM holds is
 * looked at.
 */
public final class CampaignRounds {
  /** Runs the case of this number, in a lane in which no other one runs. */
  public interface Case {
    void run(int lane, long number) throws Exception;
  }

  private final String campaign;
  private final int round;
  private final long seed;
  private final long from;
  private final long count;
  private final long nanos;
  private List<String> left = List.of();
  private long cases;

  /**
   * Of a campaign.
   *
   * @param campaign its name in commands
   * @param options {@code --count N}, {@code --minutes M}, {@code --seed S}, {@code --from K}, each
   *     of which may be left out; with a count alone it lasts as long as that takes
   * @param round after so many cases what is left over is looked at
   */
  public CampaignRounds(String campaign, CampaignOptions options, int round) {
    this.campaign = campaign;
    this.round = round;
    seed = options.seed();
    from = options.number("--from", 0);
    count = options.number("--count", Long.MAX_VALUE);
    nanos = options.nanos(isCounted() ? 60 * 24 : 10);
  }

  /** True if it is some cases that are repeated, and not a run of a length. */
  public boolean isCounted() {
    return count < Long.MAX_VALUE;
  }

  public long seed() {
    return seed;
  }

  /** How many cases have run. */
  public long cases() {
    return cases;
  }

  /** What was left over; with it the run has ended. */
  public List<String> left() {
    return left;
  }

  /**
   * The same, and where the plugin had no part in what is to be tried, that: no case would differ.
   *
   * @param batched queries that were
   */
  public List<String> leftOrIdle(long batched) {
    if (batched > 0 || isCounted()) {
      return left; // one that is repeated need not be batched
    }
    List<String> all = new ArrayList<>(left);
    all.add("no query was batched");
    return all;
  }

  /** Runs them, and prints what is left over. */
  public void run(int lanes, Case one) throws Exception {
    long begin = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(lanes);
    Holdings warm = null;
    try {
      while (cases < count && left.isEmpty() && System.nanoTime() - begin <= nanos) {
        long first = cases;
        cases = round(pool, lanes, begin, one);
        Holdings now = atRest(warm);
        left = warm == null ? now.unreturned() : now.since(warm);
        warm = warm == null ? now : warm;
        if (!left.isEmpty()) {
          System.out.printf(
              "LEFT OVER: %s; again: integration-tests/campaign %s --seed %d --from %d --count %d%n",
              left, campaign, seed, from + first, cases - first);
        }
      }
    } finally {
      pool.shutdown();
    }
  }

  /** Runs a round, less what there is no time for; how many have run then since the beginning. */
  private long round(ExecutorService pool, int lanes, long begin, Case one) throws Exception {
    long until = Math.min(count, cases + round);
    AtomicLong next = new AtomicLong(cases);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < lanes; i++) {
      int lane = i;
      all.add(
          pool.submit(
              () -> {
                while (System.nanoTime() - begin <= nanos) {
                  long number = next.getAndUpdate(value -> Math.min(until, value + 1));
                  if (number == until) {
                    break;
                  }
                  one.run(lane, from + number);
                }
                return null;
              }));
    }
    for (Future<?> lane : all) {
      try {
        lane.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(
            "in cases " + cases + " to " + until + " of seed " + seed, e.getCause());
      }
    }
    return next.get();
  }

  /** Tasks that are cancelled may end a moment after their query, and so may Hadoop's commands. */
  private static Holdings atRest(Holdings warm) {
    try {
      Waiting.until(
          () -> "memory is held, or processes live",
          () -> Holdings.isIdle() && (warm == null || !Holdings.now().hasMoreProcessesThan(warm)));
    } catch (AssertionError e) {
      // what is held is told
    }
    return Holdings.now();
  }
}
