package io.github.sparkgpusched.it.kills;

import io.github.sparkgpusched.it.testing.CampaignOptions;
import io.github.sparkgpusched.it.testing.CampaignRounds;
import io.github.sparkgpusched.it.testing.CampaignRow;
import java.util.List;

/**
 * {@code integration-tests/campaign kills}: tasks are killed in the middle of a batch, each up to
 * three times. Spark runs them again, and the rows are those of plain Spark without kills. Ends
 * with status 1 if they are not.
 */
final class KillCampaign {
  /** After so many queries what the JVM holds is looked at. */
  private static final int ROUND = 50;

  private long wrong;

  /**
   * Runs it.
   *
   * @param args what {@link CampaignRounds} takes
   */
  public static void main(String[] args) throws Exception {
    long begin = System.nanoTime();
    CampaignRounds rounds = new CampaignRounds("kills", new CampaignOptions(args), ROUND);
    KillCampaign campaign = new KillCampaign();
    long killed;
    long batched;
    try (KillSession session = new KillSession()) {
      session.beQuiet();
      rounds.run(1, (lane, number) -> campaign.run(session, KillCase.of(rounds.seed(), number)));
      killed = session.killed();
      batched = session.batched();
    }
    CampaignRow row =
        CampaignRow.since(
            begin, "kills", rounds.cases(), killed, campaign.wrong, rounds.leftOrIdle(batched));
    row.print();
    System.exit(row.isGood() ? 0 : 1);
  }

  /** Runs one, and tells if its rows are others. */
  void run(KillSession session, KillCase one) {
    List<String> plain = session.plain(one);
    Object got;
    try {
      got = session.killed(one);
    } catch (Exception | AssertionError e) {
      got = e;
    }
    if (!plain.equals(got)) {
      wrong++;
      System.out.printf(
          "NOT AS IN PLAIN SPARK: %s; again: integration-tests/campaign kills --seed %d --from %d"
              + " --count 1%n  kills at %s, %s, settings %s%s%n  %s%n",
          got instanceof List<?> rows ? rows.size() + " rows" : got,
          one.seed(),
          one.number(),
          one.kills(),
          one.interrupts() ? "with interrupts" : "without interrupts",
          one.settings(),
          one.switches() ? ", switches" : "",
          one.query());
    }
  }

  long wrong() {
    return wrong;
  }
}
