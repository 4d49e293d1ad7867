package io.github.sparkgpusched.it.testing;

import java.util.List;

/**
 * The cases of a campaign, one after the other, until its time or its count is over or something is
 * left over: after each round of them what this JVM holds is looked at.
 */
public final class CampaignRounds {
  /** Runs the case of this number. */
  public interface Case {
    void run(long number) throws Exception;
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

  /** Runs them, and prints what is left over. */
  public void run(Case one) throws Exception {
    long begin = System.nanoTime();
    Holdings warm = null;
    while (cases < count && left.isEmpty() && System.nanoTime() - begin <= nanos) {
      one.run(from + cases);
      cases++;
      if (cases % round == 0) {
        Holdings now = Holdings.now();
        left = warm == null ? now.unreturned() : now.since(warm);
        warm = warm == null ? now : warm;
      }
    }
    if (!left.isEmpty()) {
      System.out.printf(
          "LEFT OVER: %s; again: integration-tests/campaign %s --seed %d --from %d --count %d%n",
          left, campaign, seed, from, cases);
    }
  }
}
