package io.github.sparkgpusched.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of the cases that were run before. */
class AdviseTableTest {
  private static final AdviseCase EVEN =
      new AdviseCase("even", 2, 2, 1.9, 2, 2.1, Double.NaN, "NO");
  private static final AdviseCase SKEWED =
      new AdviseCase("skewed", 4, 2.4, 2.2, 2.5, 2.5, 1.25, "PROFITS");

  @TempDir Path folder;

  private final ByteArrayOutputStream notes = new ByteArrayOutputStream();

  private AdviseTable read() throws IOException {
    return AdviseTable.read(
        folder.resolve("advise.csv"), new PrintStream(notes, true, StandardCharsets.UTF_8));
  }

  @Test
  void casesThatAreRunAgainReplaceTheirLinesAndOthersStay() throws IOException {
    read().add(List.of(EVEN, new AdviseCase("skewed", 4, 1, 1, 1, 5, Double.NaN, "PROFITS")));
    assertFalse(read().holds(), "it says that a case profits which has lost");
    AdviseTable table = read();
    table.add(List.of(SKEWED));
    assertEquals(List.of(EVEN, SKEWED), table.cases());
    assertEquals(List.of(EVEN, SKEWED), read().cases());
    assertTrue(read().holds());
    assertEquals("", notes.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aFileOfAnotherVersionIsReplacedAndThatIsSaid() throws IOException {
    Files.writeString(
        folder.resolve("advise.csv"),
        "case,plain,predicted,low,high,measured,verdict\neven,2.0,2.0,1.9,2.0,2.1,NO\n");
    AdviseTable table = read();
    assertEquals(List.of(), table.cases());
    assertTrue(notes.toString(StandardCharsets.UTF_8).contains("of another version"));
    table.add(List.of(EVEN));
    assertEquals(List.of(EVEN), read().cases());
  }
}
