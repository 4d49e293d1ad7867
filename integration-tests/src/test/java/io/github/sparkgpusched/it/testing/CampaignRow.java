package io.github.sparkgpusched.it.testing;

import java.util.List;
import java.util.Optional;

/**
 * A line of the table of all campaigns. A campaign prints its lines, and {@code
 * integration-tests/campaign} gathers them from its output.
 *
 * @param kind of what was tried
 * @param drawn cases
 * @param faults that came in them
 * @param wrong answers, hangs and failures that should not be
 * @param left what was left over afterwards; empty if nothing
 * @param seconds that it took
 */
public record CampaignRow(
    String kind, long drawn, long faults, long wrong, String left, long seconds) {
  public static final String COLUMNS = "kind,drawn,faults injected,wrong answers,left over,seconds";

  private static final String MARK = "ROW ";

  /** A row of something that began at a time. */
  public static CampaignRow since(
      long beginNanos, String kind, long drawn, long faults, long wrong, List<String> left) {
    long seconds = (System.nanoTime() - beginNanos + 500_000_000) / 1_000_000_000;
    return new CampaignRow(kind, drawn, faults, wrong, String.join("; ", left), seconds);
  }

  /** True if nothing is wrong or left. */
  public boolean isGood() {
    return wrong == 0 && left.isEmpty();
  }

  /** Its values, separated by commas. */
  public String csv() {
    String said = left.isEmpty() ? "nothing" : left.replace(",", " and").replace('\n', ' ');
    return kind + "," + drawn + "," + faults + "," + wrong + "," + said + "," + seconds;
  }

  public void print() {
    System.out.println(MARK + csv());
  }

  /** The row that a line of a campaign's output is, if it is one. */
  public static Optional<CampaignRow> of(String line) {
    if (!line.startsWith(MARK)) {
      return Optional.empty();
    }
    String[] parts = line.substring(MARK.length()).split(",", -1);
    return Optional.of(
        new CampaignRow(
            parts[0],
            Long.parseLong(parts[1]),
            Long.parseLong(parts[2]),
            Long.parseLong(parts[3]),
            parts[4].equals("nothing") ? "" : parts[4],
            Long.parseLong(parts[5])));
  }
}
