package io.github.sparkgpusched.advise;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.sparkgpusched.advise.log.Notes;
import io.github.sparkgpusched.advise.plan.Segment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Stages that run, and what their tasks' ends say. */
final class Stages {
  private final Notes notes;
  private final Executors executors;
  private final Map<Long, Execution> executions;
  private final Periods periods;
  private final Jobs jobs = new Jobs();
  private final Map<Long, StageRun> stages = new HashMap<>();

  /** Of stages up to this one, late tasks are no surprise. */
  private int lastStage = -1;

  private int coresOfTask = 1;
  private int coresOfExecutor = 1;
  private long tasks;
  private double taskSeconds;
  private double processorSeconds;
  private long lastTime;

  Stages(Notes notes, Executors executors, Map<Long, Execution> executions, Periods periods) {
    this.notes = notes;
    this.executors = executors;
    this.executions = executions;
    this.periods = periods;
  }

  void settings(JsonNode properties) {
    coresOfTask = Math.max(1, (int) properties.path("spark.task.cpus").asDouble(1));
    coresOfExecutor = Math.max(1, properties.path("spark.executor.cores").asInt(1));
  }

  /** The log has ended. */
  void end() {
    periods.end(coresOfTask);
  }

  long tasks() {
    return tasks;
  }

  double taskSeconds() {
    return taskSeconds;
  }

  double processorSeconds() {
    return processorSeconds;
  }

  long lastTime() {
    return lastTime;
  }

  void jobStarted(JsonNode event) {
    jobs.started(event);
  }

  /** Spark drops events when there are too many: what is over need not have ended. */
  void jobEnded(JsonNode event) {
    Set<Integer> ended = jobs.ended(event);
    for (StageRun stage : List.copyOf(stages.values())) {
      if (ended.contains(stage.id)) {
        notes.add(
            "no end",
            "the log does not tell of the end of stage " + stage.id + ", whose job ended");
        stages.remove(key(stage.id, stage.attempt));
        stage.completed = stage.lastFinish;
        periods.completed(stage, coresOfTask);
      }
    }
  }

  private static long key(long id, long attempt) {
    return id << 16 | attempt;
  }

  private static long key(JsonNode id, JsonNode attempt) {
    return key(id.asLong(), attempt.asLong());
  }

  void submitted(JsonNode event) {
    JsonNode info = event.path("Stage Info");
    if (!info.path("Stage ID").isInt()) {
      throw new IllegalArgumentException("a stage without its ID");
    }
    lastStage = Math.max(lastStage, info.path("Stage ID").asInt());
    long time = info.path("Submission Time").asLong();
    if (time <= 0) {
      return; // Spark skips it, as its output is there: it has no tasks
    }
    StageRun stage =
        new StageRun(
            info.path("Stage ID").asInt(),
            info.path("Stage Attempt ID").asInt(),
            info.path("Stage Name").asText(),
            event.path("Properties").path("spark.sql.execution.id").asLong(-1),
            time);
    stages.put(key(info.path("Stage ID"), info.path("Stage Attempt ID")), stage);
    periods.submitted(stage);
  }

  void taskEnded(JsonNode event) {
    StageRun stage = stages.get(key(event.path("Stage ID"), event.path("Stage Attempt ID")));
    if (stage == null) {
      if (event.path("Stage ID").asInt() > lastStage) {
        notes.add(
            "no stage",
            "the log does not tell of the begin of stage "
                + event.path("Stage ID").asText()
                + "; its tasks are left out");
      }
      return;
    }
    JsonNode info = event.path("Task Info");
    long finish = info.path("Finish Time").asLong();
    lastTime = Math.max(lastTime, finish);
    stage.lastFinish = Math.max(stage.lastFinish, finish);
    if (!event.path("Task End Reason").path("Reason").asText().equals("Success")
        || !event.path("Task Metrics").isObject()) {
      stage.failedTasks++;
      notes.add(
          "failed",
          "tasks that failed or were killed are left out: the first in stage " + stage.id);
      return;
    }
    String executor = info.path("Executor ID").asText();
    if (!executors.isKnown(executor, info.path("Launch Time").asLong(), coresOfExecutor)) {
      notes.add(
          "executor",
          "the log does not tell of the begin of executor "
              + executor
              + ": it is taken to have "
              + coresOfExecutor
              + " cores (spark.executor.cores)");
    }
    Execution execution = executions.get(stage.execution);
    Set<Long> inputRows = Set.of();
    boolean parses = true;
    if (execution != null) {
      for (JsonNode one : info.path("Accumulables")) {
        Segment segment = execution.segment(one.path("ID").asLong(-1));
        if (segment != null) {
          stage.segments.add(segment);
        }
      }
      inputRows = new HashSet<>();
      parses = false;
      for (Segment segment : stage.segments) {
        inputRows.addAll(segment.inputRows());
        parses |= segment.hasUntimedScan();
        if (segment.isCut()) {
          notes.add(
              "cut",
              "parts of the plan of query "
                  + execution.id
                  + " are missing, so that functions may be missing here: Spark prints"
                  + " spark.sql.debug.maxToStringFields fields of a node, which can be set higher"
                  + " when the application runs, and of a node 256 KiB are read");
        }
      }
    }
    TaskFacts task = TaskFacts.of(event, inputRows, parses, stage.hasPython());
    stage.tasks.add(task);
    tasks++;
    taskSeconds += task.runSeconds();
    processorSeconds += task.processorSeconds();
  }

  void completed(JsonNode info) {
    StageRun stage = stages.remove(key(info.path("Stage ID"), info.path("Stage Attempt ID")));
    if (stage != null) {
      stage.completed =
          Math.max(stage.submitted, info.path("Completion Time").asLong(stage.lastFinish));
      lastTime = Math.max(lastTime, stage.completed);
      periods.completed(stage, coresOfTask);
    }
  }
}
