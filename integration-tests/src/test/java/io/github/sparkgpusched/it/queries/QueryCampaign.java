package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.QuerySession.Answer;
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

  private static final int TOLD = 500;

  private long same;
  private long refused;
  private long failing;
  private long batched;
  private long faults;
  private long wrong;

  /**
   * Runs it.
   *
   * @param args what {@link CampaignRounds} takes
   */
  public static void main(String[] args) throws Exception {
    long begin = System.nanoTime();
    CampaignRounds rounds = new CampaignRounds("queries", new CampaignOptions(args), ROUND);
    System.out.println("seed " + rounds.seed());
    QueryCampaign campaign = new QueryCampaign();
    try (QuerySession session = new QuerySession()) {
      session.beQuiet();
      rounds.run(
          number -> {
            campaign.run(session, session.draw(rounds.seed(), number));
            if (number % TOLD == TOLD - 1) {
              System.out.println(campaign.values(rounds.cases() + 1));
            }
          });
    }
    campaign.report(rounds.seed(), rounds.cases());
    CampaignRow row =
        CampaignRow.since(
            begin, "queries", rounds.cases(), campaign.faults, campaign.wrong, rounds.left());
    row.print();
    System.exit(row.isGood() ? 0 : 1);
  }

  /** Runs one, and counts what came of it. */
  void run(QuerySession session, QueryCase one) throws InterruptedException {
    Answer plain = session.plain(one);
    Answer answer = session.batched(one);
    if (!plain.isSame(answer)) {
      tell(session, one, plain, answer);
      return;
    }
    if (plain.failure() != null) {
      failing++;
      refused += plain.failure().contains("AnalysisException") ? 1 : 0;
      return;
    }
    same++;
    batched += answer.batches() > 0 ? 1 : 0;
    if (one.query().text().contains("sometimes(")) {
      Answer after = session.withFault(one);
      faults += Sometimes.happened() ? 1 : 0;
      if (!plain.isSame(after)) {
        tell(session, one, plain, after);
      }
    }
  }

  long wrong() {
    return wrong;
  }

  long batched() {
    return batched;
  }

  long faults() {
    return faults;
  }

  private void tell(QuerySession session, QueryCase one, Answer plain, Answer answer) {
    wrong++;
    System.out.printf(
        "NOT AS IN PLAIN SPARK: %s, not %s; again: integration-tests/campaign queries --seed %d"
            + " --from %d --count 1%n  fault %s at call %d, settings %s%n  %s%n",
        answer,
        plain,
        one.seed(),
        one.number(),
        one.fault(),
        one.nth(),
        one.settings(),
        one.query().text());
    SqlNode smallest =
        one.query()
            .shrunk(
                query -> {
                  QueryCase smaller = one.with(query);
                  Answer expected = session.plain(smaller);
                  return expected.failure() == null && !expected.isSame(session.batched(smaller));
                });
    System.out.println("  smallest: " + smallest.text());
    Answer expected = session.plain(one.with(smallest));
    Answer got = session.batched(one.with(smallest));
    System.out.println("  plain:   " + few(expected) + "\n  plugin:  " + few(got));
  }

  private static String few(Answer answer) {
    return answer.failure() != null
        ? answer.failure()
        : answer.rows().size() + " rows: " + answer.rows().stream().limit(5).toList();
  }

  private String values(long all) {
    return all + "," + same + "," + batched + "," + failing + "," + refused + "," + faults + ","
        + wrong;
  }

  private void report(long seed, long all) throws IOException {
    String columns =
        "seed,queries,answers as in plain Spark,of them batched,failing in both,of them refused,"
            + "with faults,wrong";
    String line = seed + "," + values(all);
    Files.createDirectories(FOLDER);
    Files.write(FOLDER.resolve("queries.csv"), List.of(columns, line));
    System.out.println("| " + columns.replace(",", " | ") + " |");
    System.out.println("| " + line.replace(",", " | ") + " |");
  }
}
