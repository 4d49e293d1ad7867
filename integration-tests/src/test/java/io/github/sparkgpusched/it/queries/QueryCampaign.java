package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.QuerySession.Answer;
import io.github.sparkgpusched.it.testing.CampaignOptions;
import io.github.sparkgpusched.it.testing.CampaignRow;
import io.github.sparkgpusched.it.testing.Holdings;
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

  private long same;
  private long refused;
  private long failing;
  private long batched;
  private long faults;
  private long wrong;

  /**
   * Runs it.
   *
   * @param args {@code --count N}, {@code --minutes M}, {@code --seed S}, {@code --from K}, each of
   *     which may be left out; with a count alone it lasts as long as that takes
   */
  public static void main(String[] args) throws Exception {
    CampaignOptions options = new CampaignOptions(args);
    long seed = options.seed();
    long from = options.number("--from", 0);
    long count = options.number("--count", Long.MAX_VALUE);
    long nanos = options.nanos(count == Long.MAX_VALUE ? 10 : 60 * 24);
    System.out.println("seed " + seed);
    QueryCampaign campaign = new QueryCampaign();
    long begin = System.nanoTime();
    long number = from;
    Holdings warm = null;
    List<String> left = List.of();
    try (QuerySession session = new QuerySession()) {
      session.beQuiet();
      for (; number - from < count && left.isEmpty(); number++) {
        if (System.nanoTime() - begin > nanos) {
          break;
        }
        campaign.run(session, session.draw(seed, number));
        if ((number - from) % ROUND == ROUND - 1) {
          Holdings now = Holdings.now();
          left = warm == null ? now.unreturned() : now.since(warm);
          warm = warm == null ? now : warm;
        }
        if ((number - from) % 500 == 499) {
          System.out.println(campaign.values(number - from + 1));
        }
      }
    }
    campaign.report(seed, number - from);
    if (!left.isEmpty()) {
      System.out.printf(
          "LEFT OVER: %s; again: integration-tests/campaign queries --seed %d --from %d --count %d%n",
          left, seed, from, number - from);
    }
    long cases = number - from;
    CampaignRow row =
        CampaignRow.since(begin, "queries", cases, campaign.faults, campaign.wrong, left);
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
