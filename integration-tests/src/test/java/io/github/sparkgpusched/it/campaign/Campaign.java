package io.github.sparkgpusched.it.campaign;

import io.github.sparkgpusched.it.testing.CampaignRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code integration-tests/campaign [--minutes N] [--seed S] [--docs] [NAME...] [OPTIONS]}: all
 * campaigns, or those that are named, each for its share of the time. Prints one table, and writes
 * it as CSV, and into docs/reliability.md with {@code --docs}. Ends with status 1 if an answer is
 * wrong or something is left.
 */
final class Campaign {
  private static final Path CSV = Path.of("target", "campaign", "campaign.csv");
  private static final Path DOCS = Path.of("..", "docs", "reliability.md");
  private static final long MINUTES = 10;

  private final List<Kind> kinds = new ArrayList<>();
  private final List<String> ofKinds = new ArrayList<>();
  private long minutes = -1;
  private long seed = Math.floorMod(System.nanoTime(), 100_000L);
  private boolean docs;

  private Campaign(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (arg.equals("--docs")) {
        docs = true;
      } else if (!arg.startsWith("--")) {
        kinds.add(Kind.of(arg));
      } else if (i + 1 == args.size()) {
        throw new IllegalArgumentException(arg + " needs a value");
      } else if (arg.equals("--minutes")) {
        minutes = number(arg, args.get(++i));
      } else if (arg.equals("--seed")) {
        seed = number(arg, args.get(++i));
      } else {
        ofKinds.addAll(List.of(arg, args.get(++i)));
      }
    }
    if (!ofKinds.isEmpty() && kinds.size() != 1) {
      throw new IllegalArgumentException(ofKinds.get(0) + " is an option of one campaign: name it");
    }
    for (int i = 0; i < ofKinds.size(); i += 2) {
      if (!kinds.get(0).takes(ofKinds.get(i))) {
        throw new IllegalArgumentException(
            kinds.get(0).text()
                + " has no option '"
                + ofKinds.get(i)
                + "'; it takes "
                + (kinds.get(0).options.isEmpty() ? "" : kinds.get(0).options + ", ")
                + "--minutes and --seed");
      }
    }
    if (kinds.isEmpty()) {
      kinds.addAll(Arrays.asList(Kind.values()));
      kinds.removeIf(Kind::isLong);
    }
  }

  private static long number(String option, String text) {
    try {
      long value = Long.parseLong(text);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(option + " takes a number, 0 or above, not '" + text + "'");
  }

  public static void main(String[] args) throws Exception {
    Campaign campaign;
    try {
      campaign = new Campaign(Arrays.asList(args));
    } catch (IllegalArgumentException e) {
      System.err.println("campaign: " + e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(campaign.run() ? 0 : 1);
  }

  private boolean run() throws IOException, InterruptedException {
    System.out.println("seed " + seed);
    List<CampaignRow> rows = new ArrayList<>();
    int shares = kinds.stream().mapToInt(kind -> kind.share).sum();
    for (Kind kind : kinds) {
      // With a count of its own a campaign ends by that, unless a time is given too.
      long seconds = 60 * (minutes < 0 ? MINUTES : minutes) * kind.share / shares;
      boolean counted = ofKinds.contains("--count") || ofKinds.contains("--times");
      boolean timed = minutes >= 0 || !counted;
      rows.addAll(new KindRun(kind, seed, timed ? seconds : -1, ofKinds).rows());
      write(rows);
    }
    System.out.println();
    table(rows).forEach(System.out::println);
    if (docs) {
      DocsTable.write(DOCS, seed, table(rows));
    }
    return rows.stream().allMatch(CampaignRow::isGood);
  }

  private static void write(List<CampaignRow> rows) throws IOException {
    List<String> csv = new ArrayList<>(List.of(CampaignRow.COLUMNS));
    rows.forEach(row -> csv.add(row.csv()));
    Files.createDirectories(CSV.getParent());
    Files.write(CSV, csv);
  }

  private static List<String> table(List<CampaignRow> rows) {
    List<String> lines = new ArrayList<>();
    lines.add("| " + CampaignRow.COLUMNS.replace(",", " | ") + " |");
    lines.add("|---|--:|--:|--:|---|--:|");
    rows.forEach(row -> lines.add("| " + row.csv().replace(",", " | ") + " |"));
    return lines;
  }
}
