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

  /** What Spark said when the stage began. */
  private record Begun(String name, int tasks) {}

  private static final class Stage {
    String name = "";
    int allTasks;
    long tasks;
    Work work = Work.NONE;
    boolean completed;
    String failure;
    final Set<String> devices = new HashSet<>();
    int deviceCount;

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

  /** Of stages that run. */
  private final Map<Key, Begun> begun = new LinkedHashMap<>();

  StageTable(int mostStages) {
    this.mostStages = mostStages;
  }

  void begin(int stageId, int attempt, String name, int tasks) {
    String kept =
        name.length() <= MOST_NAME_CHARS ? name : name.substring(0, MOST_NAME_CHARS) + "…";
    begun.put(new Key(stageId, attempt), new Begun(kept, tasks));
    forgetOldest(begun);
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

  /** An executor computes for a task of a stage: it is in the table from now on, if it runs. */
  void addRun(TaskRun run) {
    Key key = new Key(run.stageId(), run.attempt());
    if (begun.containsKey(key)) {
      stage(key);
    }
  }

  private Stage stage(Key key) {
    Stage stage = stages.get(key);
    if (stage == null) {
      stage = new Stage();
      Begun said = begun.get(key);
      if (said != null) {
        stage.name = said.name();
        stage.allTasks = said.tasks();
      }
      stages.put(key, stage);
      forgetOldest(stages);
    }
    return stage;
  }

  private void forgetOldest(Map<Key, ?> map) {
    if (map.size() > mostStages) {
      var oldest = map.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /**
   * A stage attempt has ended.
   *
   * @param failure why it failed; null if it did not
   * @return its load, or null if devices computed nothing for it
   */
  StageLoad complete(int stageId, int attempt, String failure) {
    Key key = new Key(stageId, attempt);
    Stage stage = stages.get(key);
    begun.remove(key);
    if (stage == null) {
      return null;
    }
    stage.completed = true;
    stage.failure = failure == null ? null : FirstLine.of(failure);
    stage.deviceCount = stage.devices.size();
    stage.devices.clear();
    return stage.load(key, List.of());
  }

  void restore(StageLoad load) {
    Stage stage = stage(new Key(load.stageId(), load.attempt()));
    stage.name = load.name();
    stage.allTasks = load.allTasks();
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
