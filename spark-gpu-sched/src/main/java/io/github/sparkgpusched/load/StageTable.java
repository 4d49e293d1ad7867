package io.github.sparkgpusched.load;

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
    String name = "";
    long tasks;
    Work work = Work.NONE;
    boolean completed;
    final Set<String> devices = new HashSet<>();
    int deviceCount;

    StageLoad load(Key key) {
      int count = completed ? deviceCount : devices.size();
      return new StageLoad(key.stageId, key.attempt, name, tasks, work, count, completed);
    }
  }

  private final int mostStages;

  private final Map<Key, Stage> stages = new LinkedHashMap<>();

  /** Of stages that run. */
  private final Map<Key, String> names = new LinkedHashMap<>();

  StageTable(int mostStages) {
    this.mostStages = mostStages;
  }

  void name(int stageId, int attempt, String name) {
    String kept =
        name.length() <= MOST_NAME_CHARS ? name : name.substring(0, MOST_NAME_CHARS) + "…";
    names.put(new Key(stageId, attempt), kept);
    forgetOldest(names);
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

  private Stage stage(Key key) {
    Stage stage = stages.get(key);
    if (stage == null) {
      stage = new Stage();
      stage.name = names.getOrDefault(key, "");
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

  /** A stage attempt has ended. Returns its load, or null if devices computed nothing for it. */
  StageLoad complete(int stageId, int attempt) {
    Key key = new Key(stageId, attempt);
    Stage stage = stages.get(key);
    names.remove(key);
    if (stage == null) {
      return null;
    }
    stage.completed = true;
    stage.deviceCount = stage.devices.size();
    stage.devices.clear();
    return stage.load(key);
  }

  void restore(StageLoad load) {
    Stage stage = stage(new Key(load.stageId(), load.attempt()));
    stage.name = load.name();
    stage.tasks = load.tasks();
    stage.work = load.work();
    stage.deviceCount = load.devices();
    stage.completed = load.completed();
  }

  /** Oldest first. */
  List<StageLoad> loads() {
    return stages.entrySet().stream().map(e -> e.getValue().load(e.getKey())).toList();
  }
}
