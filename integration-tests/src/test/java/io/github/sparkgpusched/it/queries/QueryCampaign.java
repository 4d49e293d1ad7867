package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.campaign.CampaignLanes;
import io.github.sparkgpusched.it.testing.CampaignOptions;
import io.github.sparkgpusched.it.testing.CampaignRounds;
import io.github.sparkgpusched.it.testing.CampaignRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code integration-tests/campaign queries}: random queries, with faults in some, whose answers
 * are to be plain Spark's, bit for bit. Ends with status 1 if one is not, and prints the smallest
 * query that it is so with, and the command that repeats it.
 */
final class QueryCampaign {
  private static final Path FOLDER = Path.of("target", "campaign");

  /** After so many queries what the JVM holds is looked at. */
  private static final int ROUND = 50;

  /** Unless it is said. */
  private static final int VARIANTS = 4;

  private static final int TOLD = 500;
  private static final int MOST_SHRINKS = 200;

  /** How often a query runs with the plugin, each time with other settings of it. */
  private final int variants;

  /** Guarded by this: lanes count in them. */
  private long same;

  private long compared;
  private long refused;
  private long failing;
  private long batched;
  private long faults;
  private long wrong;

  QueryCampaign(CampaignOptions options) {
    variants = (int) Math.max(1, options.number("--variants", VARIANTS));
  }

  /**
   * Runs it.
   *
   * @param args what {@link CampaignRounds} takes, {@code --lanes N}, and {@code --variants N}
   */
  public static void main(String[] args) throws Exception {
    long begin = System.nanoTime();
    CampaignOptions options = new CampaignOptions(args);
    CampaignRounds rounds = new CampaignRounds("queries", options, ROUND);
    System.out.println("seed " + rounds.seed());
    QueryCampaign campaign = new QueryCampaign(options);
    long killed;
    try (CampaignLanes<QuerySession> lanes = QuerySession.open(options.lanes())) {
      lanes.beQuiet();
      campaign.run(lanes, rounds);
      killed = lanes.killed();
    }
    campaign.report(rounds.seed(), rounds.cases());
    System.out.println(killed + " tasks were killed, with all of those of cancelled queries");
    CampaignRow row =
        CampaignRow.since(
            begin,
            "queries",
            rounds.cases(),
            campaign.faults(),
            campaign.wrong(),
            rounds.leftOrIdle(campaign.batched()));
    row.print();
    System.exit(row.isGood() ? 0 : 1);
  }

  void run(CampaignLanes<QuerySession> lanes, CampaignRounds rounds) throws Exception {
    rounds.run(
        lanes.count(),
        (lane, number) -> {
          QuerySession session = lanes.lane(lane);
          run(session, session.draw(rounds.seed(), number));
          if (number % TOLD == TOLD - 1) {
            System.out.println("about " + values(number + 1));
          }
        });
  }

  /** Runs one, and counts what came of it. */
  private void run(QuerySession session, QueryCase one) {
    QueryAnswer plain = session.plain(one);
    boolean right = true;
    int runs = 0;
    long batches = 0;
    while (right && runs < variants) {
      QueryCase variant = one.variant(runs++);
      QueryAnswer answer = session.batched(variant, plain);
      batches += answer.batches();
      right = plain.isSame(answer);
      if (!right) {
        tell(variant, plain, answer);
        tellSmallest(session, variant);
      }
    }
    boolean broken = right && plain.failure() == null && one.query().text().contains("sometimes(");
    boolean came = false;
    if (broken) {
      QueryAnswer after = session.withFault(one, plain);
      came = session.hadFault();
      if (!plain.isSame(after)) {
        tell(one, plain, after); // with less in it the fault would come elsewhere
        right = false;
      }
    }
    count(plain, runs, batches, right, came);
  }

  private synchronized void count(
      QueryAnswer plain, int runs, long batches, boolean right, boolean came) {
    compared += runs;
    faults += came ? 1 : 0;
    if (!right) {
      wrong++;
    } else if (plain.failure() != null) {
      failing++;
      refused += plain.isRefused() ? 1 : 0;
    } else {
      same++;
      batched += batches > 0 ? 1 : 0;
    }
  }

  synchronized long wrong() {
    return wrong;
  }

  synchronized long batched() {
    return batched;
  }

  synchronized long faults() {
    return faults;
  }

  private static void tell(QueryCase one, QueryAnswer plain, QueryAnswer answer) {
    System.out.printf(
        "NOT AS IN PLAIN SPARK: %s, not %s; again: integration-tests/campaign queries --seed %d"
            + " --from %d --count 1%n  %s, fault %s at call %d, settings %s and %s%n  %s%n",
        answer,
        plain,
        one.seed(),
        one.number(),
        one.action(),
        one.fault(),
        one.nth(),
        one.settings(),
        one.plugin(),
        one.query().text());
  }

  /** The smallest query that has another answer with the plugin. */
  private static void tellSmallest(QuerySession session, QueryCase one) {
    SqlNode smallest =
        one.query()
            .shrunk(
                MOST_SHRINKS,
                query -> {
                  QueryCase smaller = one.with(query);
                  QueryAnswer expected = session.plain(smaller);
                  return expected.failure() == null
                      && !expected.isSame(session.batched(smaller, expected));
                });
    QueryCase least = one.with(smallest);
    QueryAnswer expected = session.plain(least);
    QueryAnswer got = session.batched(least, expected);
    System.out.printf(
        "  smallest: %s%n  plain:   %s%n  plugin:  %s%n", smallest.text(), few(expected), few(got));
  }

  private static String few(QueryAnswer answer) {
    return answer.failure() != null
        ? answer.failure()
        : answer.rows().size() + " rows: " + answer.rows().stream().limit(5).toList();
  }

  private synchronized String values(long all) {
    return all + "," + compared + "," + same + "," + batched + "," + failing + "," + refused + ","
        + faults + "," + wrong;
  }

  private void report(long seed, long all) throws IOException {
    String columns =
        "seed,queries,answers compared,as in plain Spark,of them batched,failing in both,of them refused,"
            + "with faults,wrong";
    String line = seed + "," + values(all);
    Files.createDirectories(FOLDER);
    Files.write(FOLDER.resolve("queries.csv"), List.of(columns, line));
    System.out.println("| " + columns.replace(",", " | ") + " |");
    System.out.println("| " + line.replace(",", " | ") + " |");
  }
}
