package io.github.sparkgpusched.it.cluster;

import io.github.sparkgpusched.it.cluster.app.Fault;
import io.github.sparkgpusched.it.testing.CampaignOptions;
import io.github.sparkgpusched.it.testing.CampaignRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code integration-tests/campaign remote}: faults of all kinds, one application a kind. Ends with
 * status 1 if an answer is wrong or something is left.
 */
final class RemoteCampaign {
  private static final Path FOLDER = Path.of("target", "campaign");

  /** What an application's start and end take, and a query with a fault, on two busy cores. */
  private static final int START_SECONDS = 25;

  private static final int FAULT_SECONDS = 8;
  private static final String COLUMNS =
      "fault,times,answers exact,answers wrong,with rows lent,too late,tasks retried,rows lent,"
          + "left over";

  private RemoteCampaign() {}

  /**
   * Runs it.
   *
   * @param args {@code --times N} or {@code --minutes M}, {@code --seed S}, {@code --fault NAME},
   *     each of which may be left out
   */
  public static void main(String[] args) throws IOException {
    CampaignOptions options = new CampaignOptions(args);
    long seed = options.seed();
    String only = options.text("--fault", "");
    List<Fault> faults = only.isEmpty() ? Arrays.asList(Fault.values()) : List.of(Fault.of(only));
    int times = Math.toIntExact(options.number("--times", timesIn(options, faults.size())));
    System.out.println("seed " + seed);
    List<String> csv = new ArrayList<>(List.of(COLUMNS));
    boolean good = true;
    try (StandaloneCluster cluster =
        StandaloneCluster.start("campaign", 2, FaultCampaign.CLUSTER)) {
      for (Fault fault : faults) {
        good &= bring(cluster, fault, times, seed, csv);
        Files.createDirectories(FOLDER);
        Files.write(FOLDER.resolve("remote.csv"), csv);
      }
    }
    System.out.println();
    for (String line : csv) {
      System.out.println("| " + line.replace(",", " | ") + " |");
    }
    System.exit(good ? 0 : 1);
  }

  /** About how often each fault can be brought, if a time is given. */
  private static long timesIn(CampaignOptions options, int faults) {
    if (!options.has("--minutes") && !options.has("--seconds")) {
      return 50;
    }
    long each = options.nanos(0) / 1_000_000_000 / faults;
    return Math.max(1, (each - START_SECONDS) / FAULT_SECONDS);
  }

  private static boolean bring(
      StandaloneCluster cluster, Fault fault, int times, long seed, List<String> csv) {
    String result;
    boolean good;
    CampaignRow row;
    long begin = System.nanoTime();
    String kind = "remote " + fault.text();
    try {
      FaultCampaign.Result all =
          FaultCampaign.run(cluster, fault.isOfConnections(), times, seed, List.of(fault)).get(0);
      result = String.join(",", all.values());
      good = all.isGood(times);
      row = all.row(begin, kind);
    } catch (AssertionError e) {
      result = fault.text() + ",0,0,0,0,0,0,0,no result: " + e.getMessage();
      good = false;
      row = CampaignRow.since(begin, kind, times, 0, 1, List.of());
    }
    row.print();
    csv.add(result.lines().findFirst().orElseThrow());
    System.out.println(result);
    if (!good) {
      System.out.printf(
          "NOT AS IT SHOULD BE; again: integration-tests/campaign remote --fault %s --times %d"
              + " --seed %d%n",
          fault.text(), times, seed);
    }
    return good;
  }
}
