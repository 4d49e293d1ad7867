package io.github.sparkgpusched.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * What devices computed for the last queries of an application. Not thread-safe; {@link
 * ApplicationLoad} guards it.
 */
final class QueryTable {
  private static final int MOST_CHARS = 300;

  /** Of a query, those that are told. */
  private static final int MOST_STAGES = 50;

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Key(int stageId, int attempt) {}

  /** What Spark says as a query begins, before anybody knows whether devices compute for it. */
  private record Begun(String description, String user, long millis) {
    static final Begun UNKNOWN = new Begun("", "", 0);
  }

  private static final class Stage {
    final long query;
    final long startMillis;
    final int allTasks;

    /** Those that have succeeded, with rows or without. */
    long endedTasks;

    /** Null once it has ended. */
    TaskTimes times = new TaskTimes();

    Stage(long query, long startMillis, int allTasks) {
      this.query = query;
      this.startMillis = startMillis;
      this.allTasks = allTasks;
    }

    /** For how long it runs on if it goes on as it did; null if nobody knows. */
    Long leftMillis(long nowMillis) {
      long ran = nowMillis - startMillis;
      return endedTasks == 0 || startMillis == 0 || ran < 0
          ? null
          : (Long) (ran * Math.max(0, allTasks - endedTasks) / endedTasks);
    }
  }

  private static final class Query {
    Begun begun = Begun.UNKNOWN;
    final Set<String> udfs = new TreeSet<>();
    final List<String> stages = new ArrayList<>();
    final RowRate rate = new RowRate();
    Work work = Work.NONE;
    long wastedRows;
    long tasks;
    long allTasks;
    Double skew;
    long endMillis;
    String failure;

    /** More became known of it since its end was told. */
    boolean late;

    void sawSkew(Double seen) {
      if (seen != null && (skew == null || seen > skew)) {
        skew = seen;
        changed();
      }
    }

    void changed() {
      late = endMillis > 0;
    }
  }

  private final int most;

  /** Those that devices compute for, in the order in which that was known. */
  private final Map<Long, Query> queries = new LinkedHashMap<>();

  /** The last ones, whether devices compute for them or not. */
  private final Map<Long, Begun> begun = new LinkedHashMap<>();

  /**
   * The last ones with rows to compute; those that have ended stay for what is heard of late, and
   * go first.
   */
  private final Map<Key, Stage> stages = new LinkedHashMap<>();

  /**
   * The last stages that are not known to have rows to compute; those that have ended stay, as an
   * executor's report may come after the end of a short stage.
   */
  private final Map<Key, Stage> silent = new LinkedHashMap<>();

  /**
   * Rows that failed tasks had of the last stages that executors have told of and Spark has not:
   * its events may come late.
   */
  private final Map<Key, Long> early = new LinkedHashMap<>();

  /** As they were written down. */
  private final Map<Long, QueryLoad> restored = new LinkedHashMap<>();

  /** When {@link #look} looked last; of no meaning before. */
  private long lookedNanos;

  private boolean looked;

  QueryTable(int most) {
    this.most = most;
  }

  private static String cut(String text) {
    return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "…";
  }

  void begin(long id, String description, String user, long millis) {
    Begun said = new Begun(cut(description), cut(user), millis);
    begun.put(id, said);
    Oldest.forget(begun, most);
    Query query = queries.get(id);
    if (query != null) {
      query.begun = said;
    }
  }

  String description(long id) {
    return begun.getOrDefault(id, Begun.UNKNOWN).description();
  }

  /** A query's plan has calls that devices compute. */
  void computes(long id, List<String> udfs) {
    Query query = queries.get(id);
    if (query == null) {
      query = new Query();
      query.begun = begun.getOrDefault(id, Begun.UNKNOWN);
      queries.put(id, query);
      Oldest.forget(queries, most, old -> old.endMillis > 0);
    }
    query.udfs.addAll(udfs);
  }

  void stageBegun(long query, int stageId, int attempt, long millis, int tasks) {
    Key key = new Key(stageId, attempt);
    silent.put(key, new Stage(query, millis, tasks));
    // One that runs may still have rows to compute.
    Oldest.forget(silent, most, stage -> stage.times == null);
    Long wasted = early.remove(key);
    if (wasted != null) {
      stageComputes(key, wasted);
    }
  }

  /** The stage, which has rows to compute; null if it is of no query that is known. */
  private Stage stage(Key key) {
    Stage stage = stages.get(key);
    Stage begins = stage == null ? silent.remove(key) : null;
    if (begins != null) {
      stage = begins;
      stages.put(key, stage);
      Oldest.forget(stages, most, old -> old.times == null);
      Query query = queries.get(stage.query);
      if (query != null) {
        query.allTasks += stage.allTasks;
        query.changed();
        if (query.stages.size() < MOST_STAGES) {
          query.stages.add(key.stageId + "." + key.attempt);
        }
      }
    }
    return stage;
  }

  void addRun(TaskRun run) {
    stageComputes(new Key(run.stageId(), run.attempt()), 0);
  }

  /** A stage has rows to compute. Of these so many more were computed in vain. */
  private void stageComputes(Key key, long wastedRows) {
    Stage stage = stage(key);
    if (stage == null) {
      early.merge(key, wastedRows, Long::sum);
      Oldest.forget(early, most);
      return;
    }
    Query query = queries.get(stage.query);
    if (query != null && wastedRows > 0) {
      query.wastedRows += wastedRows;
      query.changed();
    }
  }

  /** A task of a stage has succeeded, whether it had rows or not. */
  void taskEnded(int stageId, int attempt) {
    Stage stage = known(new Key(stageId, attempt));
    if (stage != null) {
      stage.endedTasks++;
    }
  }

  /** The stage, whether it is known to have rows to compute or not; null if it is not there. */
  private Stage known(Key key) {
    Stage stage = stages.get(key);
    return stage == null ? silent.get(key) : stage;
  }

  /** A task of a stage had rows computed, and has succeeded. */
  void addTask(int stageId, int attempt, Work work) {
    Stage stage = stage(new Key(stageId, attempt));
    Query query = stage == null ? null : queries.get(stage.query);
    if (query != null) {
      if (stage.times != null) {
        stage.times.add(work.busyNanos());
      }
      query.tasks++;
      query.work = query.work.plus(work);
      query.changed();
    }
  }

  /** A task of a stage had rows computed, and has failed. */
  void addWaste(TaskRun failed) {
    stageComputes(new Key(failed.stageId(), failed.attempt()), failed.work().rows());
  }

  void stageEnded(int stageId, int attempt) {
    Stage stage = known(new Key(stageId, attempt));
    if (stage != null && stage.times != null) {
      Query query = queries.get(stage.query);
      if (query != null) {
        query.sawSkew(stage.times.skew());
      }
      stage.times = null;
    }
  }

  /** A query has ended. Returns its load, or null if devices computed nothing for it. */
  QueryLoad end(long id, long millis, String failure) {
    begun.remove(id);
    Query query = queries.get(id);
    if (query == null) {
      return null;
    }
    query.endMillis = Math.max(1, millis);
    query.failure = failure == null ? null : FirstLine.of(failure);
    return ended(id, query);
  }

  private static QueryLoad ended(long id, Query query) {
    return load(id, query, List.of(), List.of(), 0, query.endMillis);
  }

  /** The loads of queries of which more became known since their end, or since the last call. */
  List<QueryLoad> takeLate() {
    List<QueryLoad> taken = new ArrayList<>();
    queries.forEach(
        (id, query) -> {
          if (query.late) {
            query.late = false;
            taken.add(ended(id, query));
          }
        });
    return taken;
  }

  void restore(QueryLoad load) {
    restored.put(load.id(), load);
    Oldest.forget(restored, most);
  }

  /** True if {@link #look} is to be called, which is not cheap. */
  boolean isTimeToLook(long nowNanos) {
    return !looked || nowNanos - lookedNanos >= LOOK_NANOS;
  }

  /** Looks at how many rows each query has. */
  void look(List<TaskRun> runs, long nowNanos) {
    looked = true;
    lookedNanos = nowNanos;
    Map<Long, List<TaskRun>> running = byQuery(runs);
    queries.forEach(
        (id, query) -> {
          if (query.endMillis == 0) {
            Work all = all(query, running.getOrDefault(id, List.of()));
            query.rate.look(nowNanos, all.rows());
          }
        });
  }

  private Map<Long, List<TaskRun>> byQuery(List<TaskRun> runs) {
    Map<Long, List<TaskRun>> running = new HashMap<>();
    for (TaskRun run : runs) {
      Stage stage = stages.get(new Key(run.stageId(), run.attempt()));
      if (stage != null && stage.times != null) {
        running.computeIfAbsent(stage.query, id -> new ArrayList<>()).add(run);
      }
    }
    return running;
  }

  private static Work all(Query query, List<TaskRun> runs) {
    Work all = query.work;
    for (TaskRun run : runs) {
      all = all.plus(run.work());
    }
    return all;
  }

  /**
   * Oldest first.
   *
   * @param nowNanos by {@link System#nanoTime}, as {@link #look} has it
   * @param nowMillis since 1970
   */
  List<QueryLoad> loads(List<TaskRun> runs, long nowNanos, long nowMillis) {
    Map<Long, List<TaskRun>> running = byQuery(runs);
    Map<Long, List<Stage>> open = new HashMap<>();
    for (Stage stage : stages.values()) {
      if (stage.times != null) {
        open.computeIfAbsent(stage.query, id -> new ArrayList<>()).add(stage);
      }
    }
    List<QueryLoad> loads = new ArrayList<>(restored.values());
    queries.forEach(
        (id, query) ->
            loads.add(
                load(
                    id,
                    query,
                    open.getOrDefault(id, List.of()),
                    running.getOrDefault(id, List.of()),
                    nowNanos,
                    nowMillis)));
    return List.copyOf(loads);
  }

  private static QueryLoad load(
      long id, Query query, List<Stage> open, List<TaskRun> runs, long nowNanos, long nowMillis) {
    boolean runsNow = query.endMillis == 0;
    Work all = all(query, runsNow ? runs : List.of());
    Long left = null;
    Double skew = query.skew;
    for (Stage stage : open) {
      Long ofStage = stage.leftMillis(nowMillis);
      if (runsNow && ofStage != null && (left == null || ofStage > left)) {
        left = ofStage;
      }
      Double seen = stage.times.skew();
      skew = skew == null || (seen != null && seen > skew) ? seen : skew;
    }
    return new QueryLoad(
        id,
        query.begun.description(),
        query.begun.user(),
        query.begun.millis(),
        query.endMillis,
        query.failure,
        List.copyOf(query.udfs),
        query.stages,
        all,
        query.wastedRows,
        query.tasks,
        query.allTasks,
        runsNow ? query.rate.perSecond(nowNanos, all.rows()) : null,
        left,
        skew);
  }
}
