package io.github.sparkgpusched.advise.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLogsTest {
  @TempDir Path folder;

  private final Notes notes = new Notes();

  private List<String> lines(EventLog log, int mostBytes) throws IOException {
    List<String> lines = new ArrayList<>();
    new LogLines(notes, mostBytes)
        .read(
            log,
            (bytes, length, file, number, isWhole) ->
                lines.add(
                    number
                        + (isWhole ? "" : " cut")
                        + ": "
                        + new String(bytes, 0, length, StandardCharsets.UTF_8)),
            read -> {});
    return lines;
  }

  private List<String> lines(Path place) throws IOException {
    return lines(EventLogs.at(place.toString()).get(0), 1 << 20);
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "lz4", "snappy", "lzf"})
  void readsWhatSparkPacks(String codec) throws IOException {
    Path file = folder.resolve("app-1." + codec);
    CompressionCodec spark = CompressionCodec.createCodec(new SparkConf(false), codec);
    try (OutputStream out = spark.compressedContinuousOutputStream(Files.newOutputStream(file))) {
      out.write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(List.of("1: one", "2: two"), lines(file));
    Path open = Files.move(file, folder.resolve("app-1." + codec + ".inprogress"));
    assertTrue(EventLogs.at(open.toString()).get(0).isOpen());
    assertEquals(List.of("1: one", "2: two"), lines(open));
  }

  @Test
  void whatIsPackedAndCutGivesWhatItCan() throws IOException {
    Path whole = write("a.zstd", "no zstd at all");
    assertEquals(List.of(), lines(whole));
    assertTrue(
        notes.lines().get(0).contains("cannot be read beyond line 0"), notes.lines().toString());
  }

  @Test
  void rolledFilesComeInTheirOrder() throws IOException {
    for (int i : new int[] {10, 9, 1}) {
      write("eventlog_v2_app/events_" + i + "_app", "file " + i + "\n");
    }
    write("eventlog_v2_app/appstatus_app.inprogress", "");
    EventLog log = EventLogs.at(folder.resolve("eventlog_v2_app").toString()).get(0);
    assertTrue(log.isOpen());
    assertEquals(List.of("1: file 1", "1: file 9", "1: file 10"), lines(log, 1000));
  }

  @Test
  void aCompactedFileStandsForThoseBeforeIt() throws IOException {
    write("eventlog_v2_app/events_1_app", "1\n");
    write("eventlog_v2_app/events_2_app", "2\n");
    write("eventlog_v2_app/events_2_app.compact", "1 and 2\n");
    write("eventlog_v2_app/events_3_app", "3\n");
    assertEquals(List.of("1: 1 and 2", "1: 3"), lines(folder.resolve("eventlog_v2_app")));
  }

  @Test
  void aFolderOfLogsHasAllOfThem() throws IOException {
    write("logs/app-1", "x\n");
    write("logs/eventlog_v2_app-2/events_1_app-2", "y\n");
    write("logs/.app-1.crc", "z");
    write("logs/empty", "");
    List<EventLog> logs = EventLogs.at(folder.resolve("logs") + "/");
    assertEquals(List.of("app-1", "eventlog_v2_app-2"), logs.stream().map(EventLog::name).toList());
    assertFalse(logs.get(0).isOpen());
  }

  @Test
  void aPlaceWithoutALogIsRefused() throws IOException {
    Files.createDirectory(folder.resolve("nothing"));
    String what = folder.resolve("nothing").toString();
    assertTrue(
        assertThrows(IOException.class, () -> EventLogs.at(what))
            .getMessage()
            .contains("no event log"));
    assertTrue(
        assertThrows(IOException.class, () -> EventLogs.at(what + "/x"))
            .getMessage()
            .contains("does not exist"));
  }

  /** As when an application ends between the listing and the reading. */
  @Test
  void aFileThatIsGoneIsLeftOut() throws IOException {
    Path gone = write("eventlog_v2_app/events_1_app", "1\n");
    write("eventlog_v2_app/events_2_app", "2\n");
    EventLog log = EventLogs.at(gone.getParent().toString()).get(0);
    Files.delete(gone);
    assertEquals(List.of("1: 2"), lines(log, 1000));
    assertTrue(
        notes.lines().get(0).startsWith("events_1_app cannot be read (java.nio.file.NoSuch"),
        notes.lines().toString());
    Files.delete(gone.resolveSibling("events_2_app"));
    assertThrows(IOException.class, () -> lines(log, 1000));
  }

  @Test
  void aLinkToNothingAndANumberThatIsNoneAreNoLogsOfARolledOne() throws IOException {
    write("app-1", "one\n");
    write("events_99999999999999999999_x", "two\n");
    Files.createSymbolicLink(folder.resolve("app-0"), folder.resolve("nowhere"));
    assertEquals(
        List.of("app-1", "events_99999999999999999999_x"),
        EventLogs.at(folder.toString()).stream().map(EventLog::name).toList());
  }

  /** Hadoop's own settings are Spark's with a prefix. */
  @Test
  void aPlaceOfHadoopsIsReadAsSparkIsSetUp() throws IOException {
    write("app-1", "one\n");
    String mount = "spark.hadoop.fs.viewfs.mounttable.test.link./logs";
    System.setProperty(mount, folder.toUri().toString());
    try {
      EventLog log = EventLogs.at("viewfs://test/logs").get(0);
      assertEquals(List.of("1: one"), lines(log, 1000));
    } finally {
      System.clearProperty(mount);
    }
  }

  @Test
  void aHugeLineIsLeftOut() throws IOException {
    Path file = write("a", "one\n" + "x".repeat(200_000) + "\nthree\n");
    assertEquals(
        List.of("1: one", "3: three"), lines(EventLogs.at(file.toString()).get(0), 100_000));
    assertTrue(notes.lines().get(0).startsWith("line 2 of a has more than"));
  }

  @Test
  void aLastLineWithoutItsEndIsKnown() throws IOException {
    assertEquals(List.of("1: one", "2 cut: tw"), lines(write("a", "one\ntw")));
  }
}
