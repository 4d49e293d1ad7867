package io.github.sparkgpusched.it.udfs;

import io.github.sparkgpusched.it.campaign.CampaignLanes;
import io.github.sparkgpusched.it.testing.CampaignOptions;
import io.github.sparkgpusched.it.testing.CampaignRounds;
import io.github.sparkgpusched.it.testing.CampaignRow;
import io.github.sparkgpusched.it.udfs.HostileSession.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code integration-tests/campaign udfs}: hostile UDFs, drawn with queries and settings. The
 * answer, or the error, is to be plain Spark's, and the executor lives on. Ends with status 1 if it
 * is not so.
 */
final class UdfCampaign {
  /** After so many cases what the JVM holds is looked at. */
  private static final int ROUND = 96;

  /** What came of one mischief. */
  private static final class Sum {
    long drawn;
    long struck;
    long failing;
    long wrong;
    long nanos;
  }

  /** Guarded by this: lanes count in it. */
  private final Map<Mischief, Sum> sums = new EnumMap<>(Mischief.class);

  private long batched;

  /**
   * Runs it.
   *
   * @param args what {@link CampaignRounds} takes, {@code --lanes N}, and {@code --exits N}: how
   *     many JVMs are ended by {@code System.exit}
   */
  public static void main(String[] args) throws Exception {
    CampaignOptions options = new CampaignOptions(args);
    CampaignRounds rounds = new CampaignRounds("udfs", options, ROUND);
    UdfCampaign campaign = new UdfCampaign();
    try (CampaignLanes<HostileSession> lanes = HostileSession.open(options.lanes())) {
      lanes.beQuiet();
      campaign.run(lanes, rounds);
    }
    boolean good = campaign.report(rounds.leftOrIdle(campaign.batched()));
    // A run of some cases repeats them alone, unless it is asked for these, too.
    int exits = (int) options.number("--exits", rounds.isCounted() ? 0 : ExitApp.WAYS.size());
    if (exits > 0) {
      CampaignRow row = ExitApp.row(exits, options.lanes());
      row.print();
      good &= row.isGood();
    }
    System.exit(good ? 0 : 1);
  }

  void run(CampaignLanes<HostileSession> lanes, CampaignRounds rounds) throws Exception {
    rounds.run(
        lanes.count(),
        (lane, number) -> run(lanes.lane(lane), HostileCase.of(rounds.seed(), number)));
  }

  /** Runs one case, and tells what differs. */
  private void run(HostileSession session, HostileCase one) {
    long begin = System.nanoTime();
    Outcome plain = session.plain(one);
    Outcome got = session.batched(one);
    boolean right = plain.isSame(got, one.mischief()) && session.livesOn();
    count(one, plain, got, right, System.nanoTime() - begin);
    if (!right) {
      System.out.printf(
          "NOT AS IN PLAIN SPARK: %s at row %d: %s, not %s; again: integration-tests/campaign udfs"
              + " --seed %d --from %d --count 1%n  settings %s%s%n  %s%n",
          one.mischief(),
          one.at(),
          got,
          plain,
          one.seed(),
          one.number(),
          one.settings(),
          one.switches() ? ", switches" : "",
          one.query());
    }
  }

  private synchronized void count(
      HostileCase one, Outcome plain, Outcome got, boolean right, long nanos) {
    Sum sum = sums.computeIfAbsent(one.mischief(), kind -> new Sum());
    sum.drawn++;
    sum.struck += got.strikes() > 0 ? 1 : 0;
    sum.failing += plain.failure() == null ? 0 : 1;
    sum.wrong += right ? 0 : 1;
    sum.nanos += nanos;
    batched += got.batches() > 0 ? 1 : 0;
  }

  synchronized long wrong() {
    return sums.values().stream().mapToLong(sum -> sum.wrong).sum();
  }

  /** Queries that gave rows and were batched. */
  synchronized long batched() {
    return batched;
  }

  /** The mischiefs that were done. */
  synchronized Set<Mischief> struck() {
    return sums.entrySet().stream()
        .filter(sum -> sum.getValue().struck > 0)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private synchronized boolean report(List<String> left) {
    List<CampaignRow> rows = new ArrayList<>();
    sums.forEach(
        (mischief, sum) ->
            rows.add(
                new CampaignRow(
                    "udfs " + mischief.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    sum.drawn,
                    sum.struck,
                    sum.wrong,
                    rows.isEmpty() ? String.join("; ", left) : "",
                    sum.nanos / 1_000_000_000)));
    rows.forEach(CampaignRow::print);
    System.out.println(
        sums.values().stream().mapToLong(sum -> sum.failing).sum() + " fail in plain Spark");
    return rows.stream().allMatch(CampaignRow::isGood);
  }
}
