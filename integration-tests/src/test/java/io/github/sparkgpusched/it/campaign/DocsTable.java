package io.github.sparkgpusched.it.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The table of docs/reliability.md, between two marks. */
final class DocsTable {
  private static final String BEGIN = "<!-- made by integration-tests/campaign --docs -->\n";
  private static final String END = "<!-- end -->";

  private DocsTable() {}

  static void write(Path file, long seed, List<String> table) throws IOException {
    String text = Files.readString(file);
    int from = text.indexOf(BEGIN);
    int until = text.indexOf(END, from);
    if (from < 0 || until < 0) {
      throw new IllegalStateException(file + " has no place for the table");
    }
    String made = BEGIN + "\nSeed " + seed + ":\n\n" + String.join("\n", table) + "\n\n";
    Files.writeString(file, text.substring(0, from) + made + text.substring(until));
  }
}
