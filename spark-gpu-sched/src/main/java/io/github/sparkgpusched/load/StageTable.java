package io.github.sparkgpusched.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What devices computed for the last stage attempts of an application. Not thread-safe; {@link
 * ApplicationLoad} guards it.
 */
final class StageTable {
  private static final int MOST_NAME_CHARS = 300;

  private record Key(int stageId, int attempt) {}

  private static final class Stage {
    final String name;
    final int allTasks;
    long tasks;
    Work work = Work.NONE;
    boolean completed;
    String failure;
    final Set<String> devices = new HashSet<>();
    int deviceCount;

    Stage(String name, int allTasks) {
      this.name = name;
      this.allTasks = allTasks;
    }

    /** False also of one that was forgotten, and of which a task ends late: it has no tasks. */
    boolean runs() {
      return !completed && allTasks > 0;
    }

    void complete(String failure) {
      completed = true;
      this.failure = failure;
      deviceCount = devices.size();
      devices.clear();
    }

    /** With what is computed for running tasks now. */
    StageLoad load(Key key, List<TaskRun> runs) {
      Work all = work;
      for (TaskRun run : runs) {
        all = all.plus(run.work());
      }
      int count = completed ? deviceCount : devices.size();
      return new StageLoad(
          key.stageId,
          key.attempt,
          name,
          tasks,
          all,
          count,
          completed,
          failure,
          allTasks,
          runs.size());
    }
  }

  private final int mostStages;

  private final Map<Key, Stage> stages = new LinkedHashMap<>();

  /**
   * The last stages that are not known to have rows to compute; those that have ended stay, as an
   * executor's report may come after the end of a short stage.
   */
  private final Map<Key, Stage> silent = new LinkedHashMap<>();

  /**
   * The last stages of which executors have told and Spark has not, each with one of its tasks:
   * Spark's events may come late.
   */
  private final Map<Key, TaskRun> early = new LinkedHashMap<>();

  /** Those that came into the table after their end, since {@link #takeLate} was called. */
  private final List<StageLoad> late = new ArrayList<>();

  StageTable(int mostStages) {
    this.mostStages = mostStages;
  }

  void begin(int stageId, int attempt, String name, int tasks) {
    String kept =
        name.length() <= MOST_NAME_CHARS ? name : name.substring(0, MOST_NAME_CHARS) + "…";
    Key key = new Key(stageId, attempt);
    silent.put(key, new Stage(kept, tasks));
    // One that runs may still have rows to compute.
    Oldest.forget(silent, mostStages, stage -> stage.completed);
    TaskRun run = early.remove(key);
    if (run != null) {
      addRun(run);
    }
  }

  void addWork(int stageId, int attempt, String device, Work work) {
    Stage stage = stage(new Key(stageId, attempt));
    stage.work = stage.work.plus(work);
    if (!stage.completed) {
      stage.devices.add(device);
    }
  }

  void addTask(int stageId, int attempt) {
    stage(new Key(stageId, attempt)).tasks++;
  }

  /** An executor computes, or did, for a task of a stage: it is in the table once it began. */
  void addRun(TaskRun run) {
    Key key = new Key(run.stageId(), run.attempt());
    if (silent.containsKey(key)) {
      Stage stage = stage(key);
      if (stage.completed) {
        late.add(stage.load(key, List.of()));
      }
    } else if (!stages.containsKey(key)) {
      early.put(key, run);
      Oldest.forget(early, mostStages);
    }
  }

  /** The loads of stages whose end came before anybody knew that they have some; each once. */
  List<StageLoad> takeLate() {
    List<StageLoad> taken = List.copyOf(late);
    late.clear();
    return taken;
  }

  private Stage stage(Key key) {
    Stage stage = stages.get(key);
    if (stage == null) {
      Stage begun = silent.remove(key);
      stage = begun == null ? new Stage("", 0) : begun;
      stages.put(key, stage);
      Oldest.forget(stages, mostStages, old -> !old.runs());
    }
    return stage;
  }

  /**
   * A stage attempt has ended.
   *
   * @param failure why it failed; null if it did not
   * @return its load, or null if devices computed nothing for it
   */
  StageLoad complete(int stageId, int attempt, String failure) {
    Key key = new Key(stageId, attempt);
    Stage computed = stages.get(key);
    Stage stage = computed == null ? silent.get(key) : computed;
    if (stage != null) {
      stage.complete(failure == null ? null : FirstLine.of(failure));
    }
    return computed == null ? null : computed.load(key, List.of());
  }

  void restore(StageLoad load) {
    Stage stage = new Stage(load.name(), load.allTasks());
    stages.put(new Key(load.stageId(), load.attempt()), stage);
    Oldest.forget(stages, mostStages);
    stage.tasks = load.tasks();
    stage.work = load.work();
    stage.deviceCount = load.devices();
    stage.completed = load.completed();
    stage.failure = load.failure();
  }

  /**
   * Oldest first.
   *
   * @param runs what executors compute for running tasks now
   */
  List<StageLoad> loads(List<TaskRun> runs) {
    Map<Key, List<TaskRun>> running = new HashMap<>();
    for (TaskRun run : runs) {
      running
          .computeIfAbsent(new Key(run.stageId(), run.attempt()), key -> new ArrayList<>())
          .add(run);
    }
    List<StageLoad> loads = new ArrayList<>(stages.size());
    stages.forEach(
        (key, stage) -> {
          List<TaskRun> none = List.of();
          loads.add(stage.load(key, stage.completed ? none : running.getOrDefault(key, none)));
        });
    return List.copyOf(loads);
  }
}
