package io.github.sparkgpusched.advise;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.sparkgpusched.advise.log.EventLog;
import io.github.sparkgpusched.advise.log.LogLines;
import io.github.sparkgpusched.advise.log.Notes;
import io.github.sparkgpusched.advise.plan.PlanNode;
import io.github.sparkgpusched.advise.plan.Segment;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Reads one application's log from its begin to its end, and keeps only what still runs and what
 * {@link Findings} keeps. Not thread-safe; for one log.
 */
final class LogAnalysis {
  /** Takes all that a line may hold, and plans deeper than those that are read whole. */
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxStringLength(LogLines.MOST_BYTES)
                      .maxNestingDepth(4 * PlanNode.MOST_DEPTH)
                      .build())
              .build());

  private static final String SQL = "org.apache.spark.sql.execution.ui.SparkListenerSQL";
  private static final String PLUGIN = "io.github.sparkgpusched.";
  private static final String NO_EVENT = "there is no event in it: is it an event log of Spark's?";

  private final EventLog log;
  private final Notes notes = new Notes();
  private final Findings findings = new Findings();
  private final Executors executors = new Executors();
  private final Map<Long, Execution> executions = new HashMap<>();
  private final Stages stages =
      new Stages(
          notes,
          executors,
          executions,
          new Periods(executors, findings, executions, this::finishIfOver));
  private String name = "";
  private String id = "";
  private String version = "unknown";
  private long firstTime = Long.MAX_VALUE;
  private long lastTime;
  private boolean ended;
  private long events;
  private long foreignLines;

  private LogAnalysis(EventLog log) {
    this.log = log;
  }

  /**
   * Reads a log.
   *
   * @param progress is told how many of its bytes have been read
   * @throws FileNotFoundException if it has lines, and none is an event
   */
  static Report.Application of(EventLog log, LongConsumer progress) throws IOException {
    LogAnalysis analysis = new LogAnalysis(log);
    new LogLines(analysis.notes).read(log, analysis::line, progress);
    if (analysis.events == 0 && analysis.foreignLines > 0) {
      throw new FileNotFoundException(NO_EVENT);
    }
    return analysis.report();
  }

  private void line(byte[] bytes, int length, String file, long number, boolean isWhole) {
    if (isOfNoUse(bytes, length)) {
      return;
    }
    try {
      JsonNode event = MAPPER.readTree(bytes, 0, length);
      if (!event.isObject() || !event.path("Event").isTextual()) {
        foreignLines++;
        notes.add("no event", "line " + number + " of " + file + " is no event, and is left out");
        return;
      }
      events++;
      event(event.path("Event").asText(), event);
    } catch (JsonProcessingException e) {
      if (isWhole) {
        foreignLines++;
        notes.add("no JSON", "line " + number + " of " + file + " is no JSON, and is left out");
      } else {
        notes.add("half", "the last line of " + file + " is cut off, and is left out");
      }
    } catch (IOException | RuntimeException e) {
      notes.add(
          "odd",
          "line "
              + number
              + " of "
              + file
              + " is not as Spark writes it ("
              + e.getMessage()
              + "), and is left out");
    } catch (OutOfMemoryError
        | StackOverflowError e) { // what the line was parsed to is garbage now
      notes.add(
          "memory",
          "line " + number + " of " + file + " needs more memory than there is, and is left out");
    }
  }

  /** Most events are the starts of tasks and the like: their names come first. */
  private static boolean isOfNoUse(byte[] bytes, int length) {
    String begin = new String(bytes, 0, Math.min(length, 60), StandardCharsets.ISO_8859_1);
    return begin.startsWith("{\"Event\":\"SparkListenerTaskStart\"")
        || begin.startsWith("{\"Event\":\"SparkListenerTaskGettingResult\"")
        || begin.startsWith("{\"Event\":\"SparkListenerStageExecutorMetrics\"")
        || begin.startsWith("{\"Event\":\"SparkListenerExecutorMetricsUpdate\"")
        || begin.startsWith("{\"Event\":\"SparkListenerBlock")
        || begin.startsWith("{\"Event\":\"SparkListenerUnpersistRDD\"");
  }

  private void event(String kind, JsonNode event) {
    switch (kind) {
      case "SparkListenerLogStart" -> version = event.path("Spark Version").asText(version);
      case "SparkListenerApplicationStart" -> {
        name = event.path("App Name").asText();
        id = event.path("App ID").asText();
        if (!log.isCompacted()) { // what was judged of it begins later
          seen(event.path("Timestamp").asLong());
        }
      }
      case "SparkListenerApplicationEnd" -> {
        ended = true;
        seen(event.path("Timestamp").asLong());
      }
      case "SparkListenerEnvironmentUpdate" -> settings(event.path("Spark Properties"));
      case "SparkListenerExecutorAdded" -> executors.added(event);
      case "SparkListenerExecutorRemoved" -> executors.removed(event);
      case "SparkListenerStageSubmitted" -> stages.submitted(event);
      case "SparkListenerTaskEnd" -> stages.taskEnded(event);
      case "SparkListenerJobStart" -> {
        seen(event.path("Submission Time").asLong());
        stages.jobStarted(event);
      }
      case "SparkListenerJobEnd" -> stages.jobEnded(event);
      case "SparkListenerStageCompleted" -> stages.completed(event.path("Stage Info"));
      case SQL + "ExecutionStart" -> started(event);
      case SQL + "AdaptiveExecutionUpdate" -> {
        Execution execution = executions.get(event.path("executionId").asLong());
        if (execution != null) {
          plan(execution, event);
        }
      }
      case SQL + "ExecutionEnd" -> {
        Execution execution = executions.get(event.path("executionId").asLong());
        if (execution != null) {
          execution.ended = event.path("time").asLong();
          seen(execution.ended);
          finishIfOver(execution);
        }
      }
      default -> {}
    }
  }

  private void seen(long time) {
    if (time > 0) {
      firstTime = Math.min(firstTime, time);
      lastTime = Math.max(lastTime, time);
    }
  }

  private void settings(JsonNode properties) {
    stages.settings(properties);
    if (properties.path("spark.plugins").asText().contains(PLUGIN)) {
      notes.add(
          "plugin",
          "this application ran with the plugin: what is said here is what would be saved beyond"
              + " that");
    }
  }

  private void started(JsonNode event) {
    Execution execution =
        new Execution(
            event.path("executionId").asLong(),
            event.path("description").asText(),
            event.path("time").asLong());
    seen(execution.started);
    executions.put(execution.id, execution);
    plan(execution, event);
  }

  private void plan(Execution execution, JsonNode event) {
    JsonNode plan = event.path("sparkPlanInfo");
    if (plan.isObject()) {
      execution.plan(Segment.of(PlanNode.of(plan)));
    }
  }

  private void finishIfOver(Execution execution) {
    if (execution.ended > 0 && execution.pending == 0) {
      executions.remove(execution.id);
      finish(execution);
    }
  }

  private void finish(Execution execution) {
    if (execution.hasCalls) {
      double seconds = execution.seconds();
      findings.add(
          new Report.Query(
              execution.id,
              execution.description,
              seconds,
              execution.saved,
              execution.savedWithin,
              Verdict.of(execution.saved, seconds, true, execution.needsRewrite)));
    }
  }

  private Report.Application report() {
    stages.end();
    seen(stages.lastTime());
    for (Execution execution : executions.values()) {
      execution.ended = Math.max(execution.started, lastTime);
      finish(execution);
    }
    if (events == 0) {
      notes.add("nothing", NO_EVENT);
    } else if (!ended) {
      notes.add("open", "the application had not ended when this was written, or did not end well");
    }
    if (log.isCompacted()) {
      notes.add(
          "compacted",
          "Spark has compacted this log: queries that had ended before are not in it, and its time"
              + " begins with the first that is");
    }
    double seconds = lastTime > firstTime ? (lastTime - firstTime) / 1e3 : 0;
    Verdict verdict = findings.verdict(seconds);
    return new Report.Application(
        log.name(),
        name,
        id,
        version,
        seconds,
        ended,
        executors.seen(),
        executors.mostCores(),
        stages.tasks(),
        stages.taskSeconds(),
        stages.processorSeconds(),
        findings.functionSeconds(),
        findings.saved(),
        findings.savedWithin(),
        findings.replayError(),
        log.isCompacted() ? verdict.ofPart() : verdict,
        findings.queries(),
        findings.stages(),
        findings.notBatched(),
        notes.lines());
  }
}
