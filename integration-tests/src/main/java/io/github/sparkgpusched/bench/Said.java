package io.github.sparkgpusched.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What diagnoses have said, against what they are to say. One thread. */
public final class Said {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long REPORTS_MILLIS = 1500;

  /**
   * Kinds of findings.
   *
   * @param must a diagnosis that lacks one of them has missed it
   * @param may what it may say beside; anything else is wrong
   */
  public record Expected(Set<String> must, Set<String> may) {
    public static final Expected NOTHING = nothingBut();

    public static Expected all(String... kinds) {
      return new Expected(Set.of(kinds), Set.of());
    }

    public static Expected nothingBut(String... kinds) {
      return new Expected(Set.of(), Set.of(kinds));
    }
  }

  private final List<String> csv = new ArrayList<>(List.of("case,said,wrong,missed"));
  private int wrong;
  private int missed;

  /**
   * Reads the diagnosis of an application that does nothing any more, and notes it.
   *
   * @param ui the address of its UI
   */
  public void add(String name, String ui, Expected expected)
      throws IOException, InterruptedException {
    long rows = -1;
    for (JsonNode total = read(ui, "total");
        rows != total.path("rows").asLong();
        total = read(ui, "total")) {
      rows = total.path("rows").asLong();
      Thread.sleep(REPORTS_MILLIS); // the last reports of the executors come
    }
    Set<String> said = new TreeSet<>();
    for (JsonNode finding : read(ui, "diagnosis")) {
      said.add(finding.path("kind").asText());
      System.out.printf("    %s%n", finding.path("text").asText());
    }
    Set<String> lacks = new TreeSet<>(expected.must());
    lacks.removeAll(said);
    Set<String> falsely = new TreeSet<>(said);
    falsely.removeAll(expected.must());
    falsely.removeAll(expected.may());
    wrong += falsely.size();
    missed += lacks.size();
    String verdict =
        (falsely.isEmpty() ? "" : "  WRONG: " + falsely)
            + (lacks.isEmpty() ? "" : "  MISSED: " + lacks);
    System.out.printf("%s: %s%s%n", name, said.isEmpty() ? "nothing" : said, verdict);
    csv.add("\"%s\",%s,%s,%s".formatted(name, words(said), words(falsely), words(lacks)));
  }

  private static String words(Set<String> kinds) {
    return String.join("; ", kinds);
  }

  private static JsonNode read(String ui, String part) throws IOException {
    try (InputStream json = URI.create(ui + "/gpusched/json/?part=" + part).toURL().openStream()) {
      return MAPPER.readTree(json);
    }
  }

  /** Writes them, and tells whether all are right. */
  boolean isRight(Path file) throws IOException {
    Files.write(file, csv);
    System.out.printf("%d diagnoses: %d wrong words, %d missed%n", csv.size() - 1, wrong, missed);
    System.out.println("written: " + file);
    return wrong + missed == 0;
  }
}
