package io.github.sparkgpusched.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that are as Spark writes them, though seldom. */
class OddLogsTest {
  /** Of the lines of a {@link MadeLog} of three tasks. */
  private static final int PLAN = 3;

  private static final int SUBMITTED = 4;
  private static final int LAST_TASK = 7;

  @TempDir Path folder;

  private static List<String> lines() {
    return new ArrayList<>(MadeLog.of(2, 4_000, 10_000, 100, 100).lines().toList());
  }

  private JsonNode application(List<String> lines) throws IOException {
    Path log = Files.writeString(folder.resolve("log"), String.join("\n", lines) + "\n");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        Advise.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            "--json",
            log.toString());
    assertEquals(0, status, () -> err.toString(StandardCharsets.UTF_8));
    return new ObjectMapper().readTree(out.toByteArray()).path("applications").path(0);
  }

  private void assertProfits(List<String> lines) throws IOException {
    JsonNode application = application(lines);
    assertEquals("PROFITS", application.path("verdict").asText(), application.toString());
  }

  /** Neither has begun when the log ends: they do not wait for each other. */
  @Test
  void twoStagesOfTheSameMomentWithoutTasks() throws IOException {
    List<String> lines = lines();
    String submitted = lines.get(SUBMITTED).replace("Time\":1700000000000", "Time\":1700000010000");
    lines.subList(LAST_TASK + 1, lines.size()).clear();
    lines.add(submitted.replace("\"Stage ID\":0", "\"Stage ID\":1"));
    lines.add(submitted.replace("\"Stage ID\":0", "\"Stage ID\":2"));
    assertProfits(lines);
  }

  /** Spark tells so of a stage that it skips. */
  @Test
  void aStageThatIsNeverSubmitted() throws IOException {
    List<String> lines = lines();
    JsonNode without = application(lines);
    lines.add(
        SUBMITTED + 1,
        lines
            .get(SUBMITTED)
            .replace("\"Stage ID\":0", "\"Stage ID\":1")
            .replace(",\"Submission Time\":1700000000000", ""));
    JsonNode with = application(lines);
    assertEquals(without.path("saved"), with.path("saved"));
    assertEquals(without.path("replayError"), with.path("replayError"));
  }

  /** Spark's queues are one a listener, and events of tasks come from other threads. */
  @Test
  void aTaskEndsAfterItsExecutor() throws IOException {
    List<String> lines = lines();
    lines.add(
        LAST_TASK,
        "{\"Event\":\"SparkListenerExecutorRemoved\",\"Timestamp\":1700000010000,"
            + "\"Executor ID\":\"1\"}");
    JsonNode application = application(lines);
    assertEquals(1, application.path("executors").asInt(), application.toString());
    assertFalse(application.path("notes").toString().contains("begin of executor"));
  }

  /** Spark 3.5 and newer print up to 2 GB of a plan, if they are told to. */
  @Test
  void aNodeOfManyCharacters() throws IOException {
    List<String> lines = lines();
    lines.set(PLAN, lines.get(PLAN).replace("x#2]", "x#2, " + "a".repeat(21_000_000) + "#3]"));
    assertProfits(lines);
  }

  /** A plan that is deeper than what is read of it is still one. */
  @ParameterizedTest
  @ValueSource(ints = {600, 990, 1_500})
  void aDeepPlan(int nodes) throws IOException {
    List<String> lines = lines();
    String filter =
        "{\"nodeName\":\"Filter\",\"simpleString\":\"Filter (id#1L > 0)\",\"metrics\":[],"
            + "\"children\":[";
    String plan = lines.get(PLAN);
    int range = plan.indexOf("{\"nodeName\":\"Range");
    int end = plan.indexOf("]}}");
    lines.set(
        PLAN,
        plan.substring(0, range)
            + filter.repeat(nodes)
            + plan.substring(range, end)
            + "]}".repeat(nodes)
            + plan.substring(end));
    JsonNode application = application(lines);
    assertEquals("[]", application.path("notes").toString());
    if (nodes < 1_000) {
      assertEquals("PROFITS", application.path("verdict").asText(), application.toString());
    }
  }
}
