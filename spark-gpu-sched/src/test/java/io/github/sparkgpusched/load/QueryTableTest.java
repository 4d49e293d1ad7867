package io.github.sparkgpusched.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTableTest {
  private static final long T0 = 1_700_000_000_000L;
  private static final long SECOND = 1_000_000_000;

  private final ApplicationLoad load =
      new ApplicationLoad(new ApplicationLoad.Limits(2, 50, 10, 20));

  private long sequence;

  private void begin() {
    load.queryBegun(5, "sales by <day>", "ada, session 7", T0);
    load.queryComputes(5, List.of("g"));
    load.queryComputes(5, List.of("f", "g"));
    load.queryStage(5, 7, 0, T0 + 1000, 8);
  }

  private void report(long nanos, TaskRun... running) {
    load.update(
        ExecutorLoad.builder("1").sequence(sequence++).running(List.of(running)).build(), nanos);
  }

  private void task(int partition, long rows, long nanos) {
    load.stageTaskEnded(7, 0);
    load.addStageTask(7, 0, "1", partition, new Work(rows, 1, 0, nanos));
  }

  private QueryLoad query(long nanos, long millis) {
    List<QueryLoad> queries = load.view(nanos, millis).queries();
    assertEquals(1, queries.size());
    return queries.get(0);
  }

  @Test
  void aQueryHasWhatItsTasksDidAndWhatTheyDoNow() {
    begin();
    QueryLoad begun = query(0, T0);
    assertEquals("running", begun.state());
    assertEquals("sales by <day>", begun.description());
    assertEquals("ada, session 7", begun.user());
    assertEquals(List.of("f", "g"), begun.udfs());
    assertNull(begun.rowsPerSecond());
    assertNull(begun.leftMillis());
    report(0, new TaskRun(1, 7, 0, new Work(100, 1, 0, 50)));
    task(0, 40, 20);
    QueryLoad runs = query(SECOND, T0 + 3000);
    assertEquals(new Work(140, 2, 0, 70), runs.work());
    assertEquals(List.of("7.0"), runs.stages());
    assertEquals(1, runs.tasks());
    assertEquals(8, runs.allTasks());
    assertEquals(14_000, runs.leftMillis(), "seven more tasks of two seconds");
    assertNull(runs.skew());
  }

  /** As where a filter leaves rows in few partitions. */
  @Test
  void tasksWithoutRowsHaveEndedToo() {
    begin();
    for (int i = 0; i < 3; i++) {
      load.stageTaskEnded(7, 0); // before anybody knows that the stage has rows to compute
    }
    task(3, 40, 20);
    assertEquals(2000, query(0, T0 + 3000).leftMillis(), "four of eight took two seconds");
    for (int i = 0; i < 3; i++) {
      load.stageTaskEnded(7, 0);
    }
    assertEquals(500, query(0, T0 + 4500).leftMillis());
    assertEquals(1, query(0, T0).tasks(), "with rows");
  }

  @Test
  void rowsASecondAreThoseOfTheLastTen() {
    begin();
    for (int second = 0; second <= 30; second++) {
      long rows = second < 15 ? 0 : (second - 15) * 200L;
      report(second * SECOND, new TaskRun(1, 7, 0, new Work(rows, 1, 0, 50)));
    }
    assertEquals(200, query(30 * SECOND, T0).rowsPerSecond());
    assertEquals(50, query(57 * SECOND, T0).rowsPerSecond(), "of the 36 s since the first look");
  }

  @Test
  void skewIsTheLongestTaskOverTheMedianOne() {
    begin();
    for (int i = 0; i < 7; i++) {
      task(i, 10, 1000);
    }
    task(7, 10, 10_000);
    assertEquals(10, query(0, T0).skew(), 2);
    load.stageEnded(7, 0, null);
    assertEquals(10, query(0, T0).skew(), 2, "kept when the stage has ended");
  }

  /** Its executor reports that a task has failed when Spark has said so, and that its stage has. */
  @Test
  void theWasteOfAFailedQueryIsHeardOfLate() {
    begin();
    report(0, new TaskRun(1, 7, 0, new Work(100, 1, 0, 50)));
    load.stageEnded(7, 0, "boom");
    QueryLoad failed = load.queryEnded(5, T0 + 9000, "boom\n\tat somewhere");
    assertEquals("failed", failed.state());
    assertEquals("boom", failed.failure());
    TaskRun wasted = new TaskRun(1, 7, 0, new Work(120, 1, 0, 50));
    load.update(ExecutorLoad.builder("1").sequence(9).failedTasks(List.of(wasted)).build(), SECOND);
    assertEquals(120, query(SECOND, T0).wastedRows());
    assertEquals(0, query(SECOND, T0).work().rows());
    assertNull(query(SECOND, T0).rowsPerSecond());
    assertEquals(List.of(query(SECOND, T0)), load.takeLateQueries());
    assertEquals(List.of(), load.takeLateQueries(), "told once");
  }

  /** Its only task failed before its executor's next report was due. */
  @Test
  void aFailedStageMayBeHeardOfFirstWhenItHasEnded() {
    begin();
    load.stageBegun(7, 0, "sales", 8);
    assertNull(load.stageEnded(7, 0, "boom\n\tat somewhere"));
    load.queryEnded(5, T0 + 90, "boom");
    TaskRun wasted = new TaskRun(1, 7, 0, new Work(120, 1, 0, 50));
    load.update(ExecutorLoad.builder("1").failedTasks(List.of(wasted)).build(), SECOND);
    assertEquals(120, query(SECOND, T0).wastedRows());
    assertEquals(List.of("7.0"), query(SECOND, T0).stages());
    StageLoad failed = load.view(SECOND, T0).stages().get(0);
    assertEquals("failed", failed.state());
    assertEquals("boom", failed.failure());
    assertEquals("sales", failed.name());
  }

  /** Executors' messages and Spark's events take different ways, and events may be in a jam. */
  @Test
  void executorsMayTellOfAStageBeforeSparkDoes() {
    List<TaskRun> wasted =
        List.of(
            new TaskRun(1, 7, 0, new Work(120, 1, 0, 50)),
            new TaskRun(2, 7, 0, new Work(3, 1, 0, 50)));
    load.update(ExecutorLoad.builder("1").failedTasks(wasted).build(), SECOND);
    assertEquals(List.of(), load.view(SECOND, T0).stages());
    load.stageBegun(7, 0, "sales", 8);
    begin();
    assertEquals(123, query(SECOND, T0).wastedRows());
    assertEquals(List.of("7.0"), query(SECOND, T0).stages());
    assertEquals(8, query(SECOND, T0).allTasks());
    StageLoad failed = load.stageEnded(7, 0, "boom");
    assertEquals("sales", failed.name());
    assertEquals(List.of(), load.takeLateStages());
  }

  /** Its reports do not push out what was told early of another. */
  @Test
  void aStageOfNoQueryIsNotHeardOfTooEarly() {
    TaskRun wasted = new TaskRun(1, 7, 0, new Work(120, 1, 0, 50));
    load.update(ExecutorLoad.builder("1").failedTasks(List.of(wasted)).build(), 0);
    for (int stage = 100; stage < 200; stage++) {
      load.stageBegun(stage, 0, "count at an RDD", 1);
      load.queryStage(ApplicationLoad.NO_QUERY, stage, 0, T0, 1);
      report(0, new TaskRun(stage, stage, 0, new Work(1, 1, 0, 50)));
      load.stageEnded(stage, 0, null);
    }
    begin();
    assertEquals(120, query(0, T0).wastedRows());
  }

  @Test
  void aStageThatRunsMayBeHeardOfBeforeItBegins() {
    report(0, new TaskRun(1, 7, 0, new Work(100, 1, 0, 50)));
    load.stageBegun(7, 0, "sales", 8);
    begin();
    assertEquals(100, query(0, T0).work().rows());
    assertEquals(List.of("7.0"), query(0, T0).stages());
    assertEquals("sales", load.view(0, T0).stages().get(0).name());
  }

  /** A stage may sort for minutes before its first row comes to a call. */
  @Test
  void stagesThatHaveEndedDoNotPushOutOneThatRuns() {
    begin();
    load.stageBegun(7, 0, "sales", 8);
    for (int stage = 100; stage < 200; stage++) {
      load.stageBegun(stage, 0, "other", 1);
      load.queryStage(6, stage, 0, T0, 1);
      load.stageEnded(stage, 0, null);
    }
    report(0, new TaskRun(1, 7, 0, new Work(100, 1, 0, 50)));
    assertEquals(List.of("7.0"), query(0, T0).stages());
    assertEquals("sales", load.view(0, T0).stages().get(0).name());
  }

  /** So also if nothing but short queries runs beside one of hours. */
  @Test
  void queriesThatHaveEndedDoNotPushOutOneThatRuns() {
    ApplicationLoad two = new ApplicationLoad(new ApplicationLoad.Limits(2, 50, 2, 20));
    runQuery(two, 5, 7);
    for (int i = 100; i < 103; i++) {
      runQuery(two, i, i);
      two.stageEnded(i, 0, null);
      two.queryEnded(i, T0 + 2000, null);
    }
    two.addStageTask(7, 0, "1", 1, new Work(10, 1, 0, 5));
    LoadView view = two.view(0, T0);
    assertEquals(List.of(5L, 102L), view.queries().stream().map(QueryLoad::id).toList());
    assertEquals("query 5", view.queries().get(0).description());
    assertEquals(20, view.queries().get(0).work().rows());
    assertEquals(8, view.queries().get(0).allTasks());
    assertEquals(List.of(7, 102), view.stages().stream().map(StageLoad::stageId).toList());
    assertEquals("stage of 5", view.stages().get(0).name());
    assertEquals(2, view.stages().get(0).tasks());
  }

  /** What is heard late of a stage that has been forgotten is not taken for one that runs. */
  @Test
  void aLateTaskDoesNotBringAStageBackForGood() {
    ApplicationLoad two = new ApplicationLoad(new ApplicationLoad.Limits(2, 50, 2, 20));
    two.addStageTask(1, 0, "1", 0, new Work(10, 1, 0, 5));
    for (int i = 100; i < 103; i++) {
      runQuery(two, i, i);
      two.stageEnded(i, 0, null);
      two.queryEnded(i, T0 + 2000, null);
    }
    List<StageLoad> stages = two.view(0, T0).stages();
    assertEquals(List.of(101, 102), stages.stream().map(StageLoad::stageId).toList());
  }

  private static void runQuery(ApplicationLoad load, int id, int stage) {
    load.queryBegun(id, "query " + id, "ada", T0);
    load.queryComputes(id, List.of("f"));
    load.stageBegun(stage, 0, "stage of " + id, 8);
    load.queryStage(id, stage, 0, T0, 8);
    load.addStageTask(stage, 0, "1", 0, new Work(10, 1, 0, 5));
  }

  @Test
  void aQueryWithoutCallsOfDevicesIsNotThere() {
    load.queryBegun(5, "count", "ada", T0);
    assertEquals("count", load.queryDescription(5));
    assertEquals("", load.queryDescription(6));
    load.queryStage(5, 7, 0, T0, 8);
    assertNull(load.queryEnded(5, T0, null));
    assertEquals(List.of(), load.view(0, T0).queries());
  }

  /** Spark's events come by another thread than the plan. */
  @Test
  void aPlanMayBeKnownBeforeItsQueryHasBegun() {
    load.queryComputes(5, List.of("f"));
    load.queryBegun(5, "count", "ada", T0);
    assertEquals("count", query(0, T0).description());
  }

  @Test
  void theyAreBoundedAndWhatIsReadOfALogIsShown() {
    for (int i = 0; i < 100; i++) {
      load.queryBegun(i, "q", "ada", T0);
      load.queryComputes(i, List.of("f"));
      load.queryStage(i, i, 0, T0, 8);
      load.addStageTask(i, 0, "1", 0, new Work(10, 1, 0, 5));
    }
    List<QueryLoad> queries = load.view(0, T0).queries();
    assertEquals(10, queries.size());
    assertEquals(99, queries.get(9).id());
    ApplicationLoad history = new ApplicationLoad(new ApplicationLoad.Limits(2, 50, 10, 20));
    queries.forEach(history::restoreQuery);
    assertEquals(queries, history.view(0, T0).queries());
  }

  @Test
  void failedTasksAreReportedOnce() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    TaskWork work = table.task("f", 7, 0, 1);
    table.entry(0).beginBlock(0);
    table.entry(0).endBlock(3, 0, 10, false, work);
    table.endTask(work, true);
    assertEquals(
        List.of(new TaskRun(1, 7, 0, new Work(3, 1, 0, 10))), table.report("1", 0).failedTasks());
    assertEquals(List.of(), table.report("1", 1).failedTasks());
  }
}
