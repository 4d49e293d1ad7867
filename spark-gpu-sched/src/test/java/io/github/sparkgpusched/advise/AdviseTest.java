package io.github.sparkgpusched.advise;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On logs that real Spark of each version has written, in which only what the advisor reads is
 * left.
 */
class AdviseTest {
  private static final Path LOGS = Path.of("src/test/resources/io/github/sparkgpusched/advise");

  /** Set it to write the golden text anew. */
  private static final String WRITE = "gpusched.docs.write";

  @TempDir Path folder;

  private int status;
  private String errors = "";

  private String run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    status =
        Advise.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            arguments);
    errors = err.toString(StandardCharsets.UTF_8);
    return out.toString(StandardCharsets.UTF_8);
  }

  private JsonNode application(Path log) throws IOException {
    String json = run("--json", log.toString());
    assertEquals(0, status, errors);
    return new ObjectMapper().readTree(json).path("applications").path(0);
  }

  private static String plain(String log) throws IOException {
    try (InputStream in =
        CompressionCodec.createCodec(new SparkConf(false), "zstd")
            .compressedContinuousInputStream(Files.newInputStream(LOGS.resolve(log)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private JsonNode applicationOf(String text) throws IOException {
    return application(Files.writeString(folder.resolve("log"), text));
  }

  @Test
  void theTextIsAsItWas() throws IOException {
    String text = run(LOGS.resolve("spark-3.5.9.zstd").toString());
    Path golden = LOGS.resolve("spark-3.5.9.txt");
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(golden, text);
    }
    assertEquals(Files.readString(golden), text);
  }

  @ParameterizedTest
  @CsvSource({"3.3.4, 3", "3.4.4, 4", "3.5.9, 4", "4.0.5, 4", "4.1.4, 4", "4.2.1, 4", "4.3.0, 4"})
  void findsFunctionsOfEachVersion(String version, long scanning) throws IOException {
    JsonNode application = application(LOGS.resolve("spark-" + version + ".zstd"));
    assertEquals(version, application.path("sparkVersion").asText());
    assertEquals(4, application.path("cores").asInt());
    List<Long> queries = new ArrayList<>();
    for (JsonNode query : application.path("queries")) {
      queries.add(query.path("id").asLong());
      assertOrdered(query.path("saved"));
    }
    queries.sort(null);
    assertEquals(List.of(0L, scanning), queries);
    for (JsonNode stage : application.path("stages")) {
      assertEquals("[\"churn (Java or Scala UDF)\"]", stage.path("functions").toString());
      assertOrdered(stage.path("functionSeconds"));
      double most = stage.path("functionSeconds").path("high").asDouble();
      assertTrue(most <= stage.path("taskSeconds").asDouble());
      assertTrue(stage.path("skew").asDouble() > 1.5, stage.toString());
      boolean scans = stage.path("query").asLong() == scanning;
      assertEquals(scans, stage.path("scanSeconds").asDouble() > 0, stage.toString());
      assertEquals(scans ? 398_400 : 8_000, stage.path("rows").asLong());
      assertTrue(stage.path("saved").path("high").asDouble() > 0);
    }
    String why = application.path("notBatched").toString();
    assertTrue(why.contains("both sides of a LeftOuter join"), why);
    assertTrue(why.contains("lambda of a higher-order function"), why);
  }

  private static void assertOrdered(JsonNode range) {
    double low = range.path("low").asDouble();
    double mid = range.path("mid").asDouble();
    assertTrue(low >= 0 && low <= mid && mid <= range.path("high").asDouble(), range.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"python-3.5.9", "python-4.2.1"})
  void findsFunctionsOfPython(String log) throws IOException {
    JsonNode application = application(LOGS.resolve(log + ".zstd"));
    List<String> functions = new ArrayList<>();
    for (JsonNode stage : application.path("stages")) {
      functions.add(stage.path("functions").path(0).asText());
      assertTrue(stage.path("needsRewrite").asBoolean());
    }
    functions.sort(null);
    assertTrue(functions.get(0).startsWith("slow ("), functions.toString());
    assertTrue(functions.get(1).startsWith("vec (pandas"), functions.toString());
    assertTrue(application.path("notBatched").toString().contains("MapInPandas"));
  }

  /** Of two tasks one takes all the time: another core could have taken half of it. */
  @Test
  void aHeavyTaskProfits() throws IOException {
    JsonNode application = applicationOf(MadeLog.of(2, 4_000, 10_000, 100, 100));
    assertEquals("PROFITS", application.path("verdict").asText(), application.toString());
    double saved = application.path("saved").path("mid").asDouble();
    assertTrue(saved > 4.3 && saved < 5.1, application.path("saved").toString());
    assertEquals(0, application.path("replayError").asDouble(), 0.02);
  }

  /** A join waits for both of its sides, and one of them takes as long as before. */
  @Test
  void aStageWaitsForAllThatMustHaveEnded() throws IOException {
    List<String> lines = new ArrayList<>(MadeLog.of(8, 4_000, 10_000).lines().toList());
    double alone = applicationOf(String.join("\n", lines)).path("saved").path("mid").asDouble();
    String submitted = lines.get(4);
    String task = lines.get(5).replaceAll("\\{\"ID\":7[^}]*}", "");
    String completed = lines.get(6);
    lines.add(5, submitted.replace("\"Stage ID\":0", "\"Stage ID\":1"));
    lines.add(6, later(task.replace("\"Stage ID\":0", "\"Stage ID\":1"), 10_000, 9_500));
    lines.add(7, later(completed.replace("\"Stage ID\":0", "\"Stage ID\":1"), 10_000, 9_500));
    String join = submitted.replace("\"Stage ID\":0", "\"Stage ID\":2");
    lines.add(10, later(join, 0, 10_000));
    String last = task.replace("\"Stage ID\":0", "\"Stage ID\":2");
    lines.add(
        11,
        later(
            later(last, 10_000, 15_000).replace("Run Time\":15000", "Run Time\":5000"), 0, 10_000));
    lines.add(12, later(completed.replace("\"Stage ID\":0", "\"Stage ID\":2"), 10_000, 15_000));
    double joined = applicationOf(String.join("\n", lines)).path("saved").path("mid").asDouble();
    assertTrue(alone > 7, alone + " s of the one stage alone");
    assertTrue(joined < 0.6, joined + " s, though the other side takes 9.5 of 10 s");
  }

  /** A line whose times so long after the begin become others. */
  private static String later(String line, long millis, long becomes) {
    return line.replace(
            String.valueOf(1_700_000_000_000L + millis),
            String.valueOf(1_700_000_000_000L + becomes))
        .replace("Run Time\":" + millis, "Run Time\":" + becomes);
  }

  @Test
  void evenTasksDoNot() throws IOException {
    JsonNode application = applicationOf(MadeLog.of(2, 4_000, 5_000, 5_000));
    assertEquals("NO", application.path("verdict").asText(), application.toString());
  }

  /** Spark leaves out what had ended, and keeps that the application began. */
  private JsonNode compacted(String log, String name) throws IOException {
    Path rolled = Files.createDirectories(folder.resolve("eventlog_v2_" + name));
    Files.writeString(rolled.resolve("events_3_app" + name), log);
    return application(rolled);
  }

  @Test
  void ofACompactedLogNobodySaysThatItDoesNot() throws IOException {
    String log =
        MadeLog.of(2, 4_000, 5_000, 5_000)
            .replace("app-1\",\"Timestamp\":1700000", "app-1\",\"Timestamp\":1699990");
    JsonNode whole = compacted(log, "whole");
    assertEquals("NO", whole.path("verdict").asText());
    assertEquals(10_005, whole.path("seconds").asDouble());
    JsonNode part = compacted(log, ".compact");
    assertEquals("UNCERTAIN", part.path("verdict").asText());
    assertEquals(5, part.path("seconds").asDouble(), "since the first query");
    assertEquals("NO", part.path("queries").path(0).path("verdict").asText(), "it is all there");
    assertTrue(part.path("notes").toString().contains("compacted this log"), part.toString());
    String job =
        "{\"Event\":\"SparkListenerJobStart\",\"Job ID\":3,\"Stage IDs\":[0],"
            + "\"Submission Time\":1700000000000}\n";
    String ofJobs = job + log.lines().filter(line -> !line.contains("SQL")).collect(joining("\n"));
    assertEquals("NO_FUNCTION", compacted(ofJobs, "jobs").path("verdict").asText());
    JsonNode jobs = compacted(ofJobs, "jobs.compact");
    assertEquals("UNCERTAIN", jobs.path("verdict").asText());
    assertEquals(5, jobs.path("seconds").asDouble(), "since the first job");
  }

  @Test
  void aCompactedLogThatProfitsDoes() throws IOException {
    JsonNode part = compacted(MadeLog.of(2, 4_000, 10_000, 100, 100), ".compact");
    assertEquals("PROFITS", part.path("verdict").asText(), part.toString());
  }

  /** Two executors of a core each, of which one has all the work on rows of such a column. */
  private static String onTwoExecutors(String type) {
    String one = MadeLog.of(1, 40_000, 10_000);
    String added =
        one.lines().filter(line -> line.contains("ExecutorAdded")).findFirst().orElseThrow();
    return one.replace(added, added + "\n" + added.replace("ID\":\"1\"", "ID\":\"2\""))
        .replace("\"Range\"", "\"Scan parquet \"")
        .replace(
            "Range (0, 9)",
            "FileScan parquet [k#0,id#1] Batched: true, ReadSchema: struct<k:int,id:" + type + ">");
  }

  @Test
  void rowsThatMayBeLargeMayStayInTheirExecutor() throws IOException {
    JsonNode small = applicationOf(onTwoExecutors("bigint"));
    assertEquals("PROFITS", small.path("verdict").asText(), small.toString());
    JsonNode large = applicationOf(onTwoExecutors("array<double>"));
    assertEquals("UNCERTAIN", large.path("verdict").asText(), large.toString());
    assertEquals(small.path("saved").path("high"), large.path("saved").path("high"));
  }

  /** Rows of a stage are read alike: what one task took more than another is the function's. */
  @Test
  void whatTheFastestTaskDidNotTakeIsTheFunctions() throws IOException {
    JsonNode application = applicationOf(MadeLog.of(2, 40_000_000, 10_000, 2_000));
    double low = application.path("functionSeconds").path("low").asDouble();
    assertTrue(low > 7.9 && low < 8.1, application.path("functionSeconds").toString());
  }

  /** As it is where tasks have to wait for processors that others have. */
  @Test
  void timeWithoutAProcessorIsNothingToCountOn() throws IOException {
    String log =
        MadeLog.of(2, 4_000, 10_000, 100)
            .replace("\"Executor CPU Time\":10000000000", "\"Executor CPU Time\":300000000");
    JsonNode application = applicationOf(log);
    assertEquals("UNCERTAIN", application.path("verdict").asText(), application.toString());
  }

  @Test
  void aTaskThatFailedIsLeftOut() throws IOException {
    String log = MadeLog.of(2, 4_000, 10_000, 100, 100);
    JsonNode application =
        applicationOf(
            log.replaceFirst("\"Reason\":\"Success\"", "\"Reason\":\"ExceptionFailure\""));
    assertEquals(2, application.path("tasks").asInt());
    assertTrue(application.path("notes").toString().contains("failed or were killed"));
  }

  /** Spark's queue of events may be full, and then drops some. */
  @Test
  void aStageWhoseEndIsLostEndsWithItsJob() throws IOException {
    String whole = MadeLog.of(2, 4_000, 10_000, 100, 100);
    int stage = whole.indexOf("{\"Event\":\"SparkListenerStageSubmitted");
    int end = whole.indexOf("{\"Event\":\"SparkListenerStageCompleted");
    String log =
        whole.substring(0, stage)
            + "{\"Event\":\"SparkListenerJobStart\",\"Job ID\":3,\"Stage IDs\":[0]}\n"
            + whole.substring(stage, end)
            + "{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":3}\n"
            + whole.substring(whole.indexOf('\n', end) + 1);
    JsonNode application = applicationOf(log);
    assertEquals("PROFITS", application.path("verdict").asText(), application.toString());
    assertTrue(application.path("notes").toString().contains("the end of stage 0"));
  }

  /** Nobody can take over 10 seconds of one row. */
  @Test
  void aTaskOfOneRowDoesNot() throws IOException {
    JsonNode application = applicationOf(MadeLog.of(2, 1, 10_000, 100));
    assertEquals("NO", application.path("verdict").asText(), application.toString());
  }

  @Test
  void aLogThatIsCutAnywhereIsReadAsFarAsItGoes() throws IOException {
    String whole = plain("spark-4.2.1.zstd");
    Random random = new Random(3);
    for (int i = 0; i < 25; i++) {
      JsonNode application = applicationOf(whole.substring(0, random.nextInt(whole.length())));
      assertFalse(application.path("isComplete").asBoolean());
      assertTrue(application.path("notes").size() <= 3, application.path("notes").toString());
    }
  }

  @Test
  void linesThatAreNoEventsAreLeftOutWithOneNoteEach() throws IOException {
    String whole = plain("spark-3.5.9.zstd");
    JsonNode as = applicationOf(whole);
    int line = whole.indexOf('\n', whole.length() / 2) + 1;
    String odd =
        """
        garbage {
        [1,2]
        {"Event":"com.example.Mine","x":1}
        {"Event":"SparkListenerTaskEnd"}
        {"Event":"SparkListenerStageSubmitted","Stage Info":[]}
        \0\1
        more garbage
        """;
    JsonNode with = applicationOf(whole.substring(0, line) + odd + whole.substring(line));
    assertEquals(as.path("stages"), with.path("stages"));
    assertEquals(as.path("saved"), with.path("saved"));
    assertEquals(
        3, with.path("notes").size() - as.path("notes").size(), with.path("notes").toString());
    assertTrue(with.path("notes").toString().contains("is no JSON, and is left out (and 2 more"));
  }

  @Test
  void withoutSparksJarsItSaysWhatIsMissing() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                Path.of("target", "classes").toString(),
                Advise.class.getName(),
                LOGS.resolve("spark-4.3.0.zstd").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, process.waitFor(), said);
    assertEquals(1, said.lines().count(), said);
    assertTrue(said.contains("Spark's jars are not all on the class path"), said);
  }

  @Test
  void aFileThatIsNoLogIsLeftOut() throws IOException {
    Path file = Files.writeString(folder.resolve("README.md"), "# Which jobs?\n\n[1]\n");
    run(file.toString());
    assertEquals(1, status);
    assertEquals(
        "gpusched advise: no log can be read: the log README.md is left out: "
            + "there is no event in it: is it an event log of Spark's?\n",
        errors);
    String text = run(file.toString(), LOGS.resolve("spark-4.3.0.zstd").toString());
    assertEquals(0, status);
    assertTrue(text.contains("the log README.md is left out"), text);
    assertFalse(text.contains("Spark unknown"), text);
  }

  @Test
  void changedBytesNeverEndIt() throws IOException {
    byte[] whole = plain("spark-4.3.0.zstd").getBytes(StandardCharsets.UTF_8);
    Random random = new Random(5);
    for (int i = 0; i < 30; i++) {
      byte[] changed = whole.clone();
      for (int k = 0; k < 1 << random.nextInt(11); k++) {
        // A digit for a digit leaves JSON that is wrong in another way.
        int at = random.nextInt(changed.length);
        boolean digit = changed[at] >= '0' && changed[at] <= '9';
        changed[at] = (byte) (digit ? '0' + random.nextInt(10) : random.nextInt(256));
      }
      Path file = Files.write(folder.resolve("log"), changed);
      run("--html", folder.resolve("page.html").toString(), file.toString());
      assertEquals(0, status, errors);
    }
  }

  @Test
  void anEmptyLogSaysSo() throws IOException {
    JsonNode application = applicationOf("");
    assertEquals("NO_FUNCTION", application.path("verdict").asText());
    assertTrue(application.path("notes").toString().contains("log is empty"));
  }

  @Test
  void thePageLoadsNothingAndSaysItsPicturesInWords() throws IOException {
    Path page = folder.resolve("page.html");
    run(
        "--html",
        page.toString(),
        LOGS.resolve("spark-3.5.9.zstd").toString(),
        LOGS.resolve("python-4.2.1.zstd").toString());
    String html = Files.readString(page);
    for (String loads : List.of("http:", "https:", "src=", "url(", "@import", "<script", "<link")) {
      assertFalse(html.contains(loads), loads);
    }
    Matcher pictures = Pattern.compile("<svg ([^>]*)>").matcher(html);
    int count = 0;
    while (pictures.find()) {
      String attributes = pictures.group(1);
      assertTrue(
          (attributes.contains("role=\"img\"") && attributes.contains("aria-label=\""))
              || attributes.contains("aria-hidden=\"true\""),
          attributes);
      count++;
    }
    assertTrue(count > 5, "" + count);
    assertEquals(count(html, "<table>"), count(html, "<thead>"));
    assertEquals(count(html, "class=\"scroll\""), count(html, "tabindex=\"0\""));
    assertTrue(html.contains("prefers-color-scheme: dark"));
  }

  @Test
  void applicationsOfOneNameAreToldApart() throws IOException {
    Path page = folder.resolve("page.html");
    String text =
        run(
            "--html",
            page.toString(),
            LOGS.resolve("spark-3.5.9.zstd").toString(),
            LOGS.resolve("spark-4.3.0.zstd").toString());
    for (String log : List.of("3.5.9", "4.3.0")) {
      String title = "example (spark-" + log + ".zstd)";
      assertTrue(text.contains(title), text);
      assertTrue(Files.readString(page).contains(title + "</a>"), title);
    }
  }

  @Test
  void aQueryThatProfitsIsNamedThoughItsApplicationDoesNot() throws IOException {
    String text = run(LOGS.resolve("spark-4.0.5.zstd").toString());
    assertTrue(text.contains("It does not profit"), text);
    assertTrue(text.contains("Queries that would profit by themselves: 1."), text);
  }

  @Test
  void whatSavesLittleIsFoldedAway() throws IOException {
    String one = MadeLog.of(2, 4_000, 10_000, 100, 100);
    int begin = one.indexOf("{\"Event\":\"org.apache");
    int end = one.indexOf("{\"Event\":\"SparkListenerApplicationEnd");
    StringBuilder log = new StringBuilder(one.substring(0, begin));
    for (int i = 0; i < 20; i++) {
      log.append(
          one.substring(begin, end)
              .replace("\"executionId\":0", "\"executionId\":" + i)
              .replace("\"Stage ID\":0", "\"Stage ID\":" + i)
              .replace("execution.id\":\"0\"", "execution.id\":\"" + i + "\""));
    }
    Path page = folder.resolve("page.html");
    Path file = Files.writeString(folder.resolve("log"), log.append(one.substring(end)));
    run("--html", page.toString(), file.toString());
    String html = Files.readString(page);
    assertEquals(2, count(html, "<summary>8 more, which save less</summary>"));
    assertEquals(40, count(html, "<th scope=\"row\">"));
    assertTrue(html.indexOf("<th scope=\"row\">") < html.indexOf("<details>"));
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void aHarmfulNameIsText() throws IOException {
    String log = MadeLog.of(2, 100, 10_000, 100).replace("made", "<script>alert(1)</script>");
    Path page = folder.resolve("page.html");
    run("--html", page.toString(), Files.writeString(folder.resolve("log"), log).toString());
    assertFalse(Files.readString(page).contains("<script>"));
    assertTrue(Files.readString(page).contains("&lt;script&gt;"));
  }

  @Test
  void whatATerminalWouldObeyIsNotPrinted() throws IOException {
    String log = MadeLog.of(2, 100, 10_000, 100).replace("made", "\\u001b[2Jred\\nline");
    String text = run(Files.writeString(folder.resolve("log"), log).toString());
    assertTrue(text.contains("\uFFFD[2Jred"), text);
    assertFalse(text.contains("\u001b"), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-Infinity", "Infinity", "-5", "1e300"})
  void aCountThatIsNoneIsNone(String count) throws IOException {
    String log =
        MadeLog.of(2, 4_000, 10_000, 100, 100)
            .replace("\"Update\":\"4000\"", "\"Update\":\"" + count + "\"");
    assertTrue(log.contains(count));
    JsonNode application = applicationOf(log);
    for (JsonNode stage : application.path("stages")) {
      assertEquals(0, stage.path("rows").asLong());
    }
    assertOrdered(application.path("saved"));
  }

  /** Its folder is given; one log cannot be opened, the other is read. */
  @Test
  void aLogThatCannotBeReadIsLeftOut() throws IOException {
    Files.writeString(folder.resolve("good"), MadeLog.of(2, 4_000, 10_000, 100, 100));
    Path bad = Files.createDirectory(folder.resolve("eventlog_v2_bad"));
    Files.writeString(bad.resolve("events_1_bad.snappy"), "without a header");
    String text = run(folder.toString());
    assertEquals(0, status, errors);
    assertTrue(text.contains("good: \"made\""), text);
    assertTrue(text.contains("the log eventlog_v2_bad is left out"), text);
    run(bad.toString());
    assertEquals(1, status);
    assertTrue(errors.startsWith("gpusched advise: no log can be read: the log"), errors);
  }

  @Test
  void aPlaceThatHadoopDoesNotKnowIsOneLine() {
    run("nosuch://a/b");
    assertEquals(1, status);
    assertTrue(errors.matches("gpusched advise: .*nosuch.*\\R"), errors);
  }

  @Test
  void aWrongCommandLineSaysWhatIsAllowed() {
    run("--jsn", "x");
    assertEquals(2, status);
    assertTrue(errors.contains("no option '--jsn'; the options are --json"), errors);
    run();
    assertEquals(2, status);
    run("--html");
    assertTrue(errors.contains("--html needs the name of a file"), errors);
    run("/nowhere/at/all");
    assertEquals(1, status);
    assertTrue(errors.contains("/nowhere/at/all does not exist"), errors);
  }
}
