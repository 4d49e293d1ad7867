package io.github.sparkgpusched.load;

import static io.github.sparkgpusched.load.Reports.device;
import static io.github.sparkgpusched.load.Reports.report;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.api.DeviceLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApplicationLoadTest {
  private static final long T0 = 1_700_000_000_000L;

  private final ApplicationLoad load =
      new ApplicationLoad(new ApplicationLoad.Limits(2, 50, 10, 20));

  private LoadView view() {
    return load.view(0, T0);
  }

  @Test
  void aLaterReportReplacesAnEarlierOneInWhateverOrderTheyCome() {
    load.update(report("1", 1, T0 + 250, List.of(device("host:0", 200, 20))), 10_000_000);
    load.update(report("1", 0, T0, List.of(device("host:0", 100, 10))), 20_000_000);
    assertEquals(200, view().total().rows());
    assertEquals(5, load.devices(15_000_000).get(0).ageMillis());
  }

  @Test
  void anExecutorThatIsForgottenStaysInTheSums() {
    for (int i = 0; i < 5; i++) {
      load.update(Reports.full("" + i, 0, T0, 2), 0);
      load.addStageTask(0, 0, "" + i, i, new Work(1990, 0, 0, 200_000_000)); // of 2000 rows
    }
    LoadView before = view();
    IntStream.of(3, 0, 1, 4).forEach(i -> load.executorEnded("" + i, 0));
    load.executorEnded("unknown", 0);
    LoadView after = view();
    assertEquals(before.total(), after.total());
    assertEquals(before.wasted(), after.wasted());
    assertEquals(before.udfs(), after.udfs());
    assertEquals(before.missedBlocks(), after.missedBlocks());
    assertEquals(2, after.forgottenExecutors());
    assertEquals(
        List.of("2 false", "2 false", "1 true", "1 true", "4 true", "4 true"),
        after.devices().stream().map(d -> d.executorId() + " " + d.ended()).toList());
  }

  @Test
  void whatAForgottenExecutorStillReportsIsIgnored() {
    ApplicationLoad small = new ApplicationLoad(new ApplicationLoad.Limits(0, 10, 10, 10));
    small.update(report("1", 0, T0, List.of(device("host:0", 100, 0))), 0);
    small.executorEnded("1", 0);
    assertEquals(List.of(), small.update(report("1", 1, T0, List.of(device("host:0", 120, 0))), 0));
    assertEquals(100, small.view(0, T0).total().rows());
    assertEquals(List.of(), small.view(0, T0).devices());
    assertEquals(1, small.view(0, T0).forgottenExecutors());
  }

  @Test
  void busyTimeIsSpreadOverTheTimeSinceTheReportBefore() {
    load.update(report("1", 0, T0, List.of(device("host:0", 0, 0))), 0);
    load.update(report("1", 1, T0 + 1000, List.of(device("host:0", 10, 500))), 0);
    List<Integer> utilisation = view().devices().get(0).utilisation();
    assertEquals(List.of(50, 50, 50, 50, 0), utilisation.subList(0, 5));
    load.update(report("1", 2, T0 + 1250, List.of(device("host:0", 20, 750))), 0);
    assertEquals(100, view().devices().get(0).utilisation().get(4));
  }

  @Test
  void theTimeAxisGrowsByHalvingItsResolutionAndKeepsAllBusyTime() {
    long busy = 0;
    for (int i = 0; i <= 5000; i++) {
      busy = 100L * i;
      load.update(report("1", i, T0 + 250L * i, List.of(device("host:0", i, busy))), 0);
    }
    LoadView view = view();
    List<Integer> utilisation = view.devices().get(0).utilisation();
    assertEquals(TimeAxis.BUCKETS, utilisation.size());
    double sum = utilisation.stream().mapToInt(p -> p).sum() / 100.0 * view.bucketMillis();
    assertEquals((double) busy, sum, busy * 0.02);
    assertTrue(view.bucketMillis() * TimeAxis.BUCKETS >= 250L * 5000);
    assertTrue(view.bucketMillis() * TimeAxis.BUCKETS <= 4 * 250L * 5000);
  }

  @Test
  void everythingIsBounded() {
    for (int i = 0; i < 100; i++) {
      load.update(Reports.full("1", i, T0 + i * 250L, 4), 0);
      load.addEvent(new DeviceEvent(T0, "1", "host:0", "failure", "" + i));
      load.addStageWork(i, 0, "1/host:0", new Work(10, 1, 0, 5));
      load.addFallback("f" + i, "why");
    }
    for (int i = 0; i < 10_000; i++) {
      load.addFallback("g" + i, "why");
    }
    LoadView view = view();
    assertEquals(50, view.spans().size());
    assertEquals(100 * 32 - 50, view.droppedSpans());
    assertEquals(21, view.events().size(), "the executor's start, and failures");
    assertEquals("99", view.events().get(20).detail());
    assertEquals(10, view.stages().size());
    assertEquals(99, view.stages().get(9).stageId());
    assertEquals(500, view.fallbacks().size());
  }

  @Test
  void whatHappensToDevicesBecomesEventsOnce() {
    LoadEntry entry = new LoadEntry("host:0", 1);
    assertEquals(
        List.of("started"), kinds(load.update(report("1", 0, T0, List.of(entry.snapshot())), 0)));
    entry.beginBlock(0);
    entry.endFailure(0, 10, null, "it broke");
    entry.setState(io.github.sparkgpusched.api.DeviceState.QUARANTINED);
    assertEquals(
        List.of("quarantined", "failure"),
        kinds(load.update(report("1", 1, T0, List.of(entry.snapshot())), 0)));
    assertEquals(List.of(), kinds(load.update(report("1", 2, T0, List.of(entry.snapshot())), 0)));
    entry.setState(io.github.sparkgpusched.api.DeviceState.ACTIVE);
    assertEquals(
        List.of("active"), kinds(load.update(report("1", 3, T0, List.of(entry.snapshot())), 0)));
  }

  @Test
  void whatFailsIsNamedWithItsUdfStageTaskAndError() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    load.update(table.report("1", 0), 0);
    TaskWork work = table.task("f", 3, 1, 17);
    for (int i = 0; i < 20; i++) {
      table.entry(0).beginBlock(0);
      table.entry(0).endFailure(0, 10, work, "\n  it broke " + i + "\n\tat java.lang.Thread.run");
    }
    load.update(table.report("1", 1), 0);
    List<String> details = view().events().stream().map(DeviceEvent::detail).toList();
    assertEquals("f, stage 3.1, task 17: it broke 0", details.get(1));
    assertEquals("f, stage 3.1, task 17: it broke 7", details.get(8));
    assertEquals(List.of("12 blocks ended in an error"), details.subList(9, details.size()));
    assertEquals(20, view().udfs().get(0).failures());
    assertEquals(0, view().udfs().get(0).work().blocks());
    assertEquals(List.of(), table.report("1", 2).failures(), "told once");
  }

  @Test
  void aRowThatFailsWhereItIsIsNamedOnceToo() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    load.update(table.report("1", 0), 0);
    TaskWork inline = table.task("f", 3, 1, 17);
    table.failedInline(inline, "it broke\nat once");
    TaskWork batched = table.task("g", 3, 1, 18);
    table.entry(0).beginBlock(0);
    table.entry(0).endFailure(0, 10, batched, "it broke");
    table.failedInline(batched, "it broke");
    load.update(table.report("1", 1), 0);
    List<String> told =
        view().events().stream().map(event -> event.device() + " " + event.detail()).toList();
    assertEquals(
        List.of("host:0 g, stage 3.1, task 18: it broke", " f, stage 3.1, task 17: it broke"),
        told.subList(1, told.size()));
    assertEquals(List.of(1L, 1L), view().udfs().stream().map(UdfLoad::failures).toList());
  }

  private static List<String> kinds(List<DeviceEvent> events) {
    return events.stream().map(DeviceEvent::kind).toList();
  }

  @Test
  void stagesSumWhatTasksDidAndCountDevices() {
    load.stageBegun(7, 0, "a <b>", 9);
    load.addStageWork(7, 0, "1/host:0", new Work(100, 10, 1, 1000));
    load.addStageTask(7, 0, "1", 0, new Work(100, 0, 0, 1000));
    load.addStageWork(7, 0, "1/host:0", new Work(50, 5, 0, 500));
    load.addStageWork(7, 0, "2/host:0", new Work(25, 2, 2, 250));
    load.addStageTask(7, 0, "1", 1, new Work(75, 0, 0, 750));
    assertEquals(
        new StageLoad(7, 0, "a <b>", 2, new Work(175, 17, 3, 1750), 2, true, null, 9, 0),
        load.stageEnded(7, 0, null));
    assertEquals(null, load.stageEnded(8, 0, null));
  }

  @Test
  void aStageIsThereFromItsFirstTaskOnAndCountsEachTaskOnce() {
    load.stageBegun(7, 0, "count", 9);
    assertEquals(List.of(), view().stages(), "nobody knows yet that devices compute for it");
    TaskRun first = new TaskRun(1, 7, 0, new Work(100, 10, 1, 1000));
    TaskRun second = new TaskRun(2, 7, 0, new Work(30, 3, 0, 300));
    reportRunning(0, first, second);
    assertEquals(
        new StageLoad(7, 0, "count", 0, new Work(130, 13, 1, 1300), 0, false, null, 9, 2),
        view().stages().get(0));
    load.addStageWork(7, 0, "1/host:0", first.work());
    load.taskEnded("1", 1);
    load.addStageTask(7, 0, "1", 0, first.work());
    reportRunning(1, first, second); // made before that, and come after it
    StageLoad stage = view().stages().get(0);
    assertEquals(new Work(130, 13, 1, 1300), stage.work());
    assertEquals(1, stage.tasks());
    assertEquals(1, stage.runningTasks());
    load.executorEnded("1", 0);
    assertEquals(100, view().stages().get(0).work().rows(), "what ran there is lost");
    StageLoad failed = load.stageEnded(7, 0, "\nboom\n\tat somewhere");
    assertEquals("failed", failed.state());
    assertEquals("boom", failed.failure());
  }

  private void reportRunning(long sequence, TaskRun... running) {
    load.update(ExecutorLoad.builder("1").sequence(sequence).running(List.of(running)).build(), 0);
  }

  /** Its task is over before a report could name it, and no device has counted anything. */
  @Test
  void aFailureAtATasksFirstRowIsSomethingToReport() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    ExecutorLoad before = table.report("1", 0);
    TaskWork work = table.task("f", 7, 0, 1);
    table.failedInline(work, "it broke");
    table.endTask(work, true);
    assertFalse(before.hasCountsOf(table));
    ExecutorLoad after = table.report("1", 1);
    assertEquals("it broke", after.failures().get(0).error());
    assertTrue(after.hasCountsOf(table), "once");
  }

  @Test
  void tasksThatRunAreReportedUntilTheyEnd() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    ExecutorLoad before = table.report("1", 0);
    assertTrue(before.hasCountsOf(table));
    TaskWork f = table.task("f", 7, 0, 1);
    TaskWork g = table.task("g", 7, 0, 1);
    table.entry(0).beginBlock(0);
    table.entry(0).endBlock(3, 0, 10, true, f);
    table.entry(0).beginBlock(0);
    table.entry(0).endBlock(2, 0, 10, false, g);
    ExecutorLoad during = table.report("1", 1);
    assertEquals(List.of(new TaskRun(1, 7, 0, new Work(5, 2, 1, 20))), during.running());
    table.endTask(f, false);
    table.endTask(g, false);
    assertFalse(during.hasCountsOf(table), "that it has ended is to be heard of");
    assertEquals(List.of(), table.report("1", 2).running());
  }

  private static final long SECOND = 1_000_000_000;

  @Test
  void anExecutorThatIsSilentIsIdleOrAtTheSameBlock() {
    DeviceLoad idle = device("host:0", 100, 20);
    DeviceLoad busy = device("cuda:0", 100, 20).toBuilder().inFlight(1).queueDepth(563).build();
    load.update(report("1", 0, T0, List.of(idle, busy)), 5 * SECOND);
    LoadView soon = load.view(5 * SECOND + SECOND / 2, T0 + 500);
    assertEquals(idle, soon.devices().get(0).load(), "a change may be on its way");
    LoadView later = load.view(95 * SECOND, T0 + 90_000);
    assertEquals(90 * SECOND, later.devices().get(0).load().idleNanos());
    assertEquals(20_000_000, later.devices().get(0).load().busyNanos());
    assertEquals(SECOND, later.devices().get(1).load().idleNanos());
    assertEquals(20_000_000 + 89 * SECOND, later.devices().get(1).load().busyNanos());
    assertEquals(2 * 20_000_000 + 89 * SECOND, later.total().busyNanos());
    int begun = (int) (90_000 / later.bucketMillis());
    assertEquals(0, later.devices().get(0).utilisation().get(begun - 2));
    assertEquals(100, later.devices().get(1).utilisation().get(begun - 2));
  }

  /** A report may come late; that time was taken to be idle then, and was not. */
  @Test
  void noCounterOfWhatIsReportedGoesDown() {
    ApplicationLoad one = new ApplicationLoad(new ApplicationLoad.Limits(0, 10, 10, 10));
    DeviceLoad device = device("host:0", 100, 20);
    DeviceLoad at = device.toBuilder().busyNanos(8 * SECOND).idleNanos(2 * SECOND).build();
    long idle = 0;
    for (int step = 0; step < 5; step++) {
      switch (step) {
        case 0 -> one.update(report("1", 0, T0, List.of(device)), 0);
        case 2 -> one.update(report("1", 1, T0 + 9000, List.of(at)), 9 * SECOND);
        case 4 -> one.executorEnded("1", 90 * SECOND); // and is forgotten
        default -> {}
      }
      LoadView view = one.reportedView((step + 1L) * 8 * SECOND, T0);
      assertTrue(view.total().of(DeviceMeasures.IDLE) >= idle, "step " + step);
      idle = view.total().of(DeviceMeasures.IDLE);
      view.devices().forEach(each -> assertEquals(List.of(), each.utilisation()));
      assertEquals(step < 2 ? SECOND : 2 * SECOND, idle);
    }
  }

  @Test
  void anExecutorThatEndedHasNeitherQueueNorBlocksAndTimeStopsThere() {
    DeviceLoad busy = device("host:0", 100, 20).toBuilder().inFlight(1).queueDepth(563).build();
    load.update(report("1", 0, T0, List.of(busy)), 0);
    load.executorEnded("1", 11 * SECOND);
    for (long at : new long[] {11 * SECOND, 500 * SECOND}) {
      DeviceLoad ended = load.view(at, T0).devices().get(0).load();
      assertEquals(0, ended.queueDepth());
      assertEquals(0, ended.inFlight());
      assertEquals(20_000_000 + 10 * SECOND, ended.busyNanos());
      assertEquals(
          List.of(ended), load.written("1", at, T0).report().devices(), "as it is written down");
    }
  }

  /** What is written down of one executor is what a view of all has of it. */
  @Test
  void whatIsWrittenDownOfAnExecutorIsWhatTheViewHas() {
    DeviceLoad busy = device("host:0", 100, 20).toBuilder().inFlight(1).build();
    load.update(report("1", 0, T0, List.of(busy, device("host:1", 0, 0))), 0);
    load.update(report("2", 0, T0 + 50_000, List.of(device("host:0", 0, 0))), 0);
    assertNull(load.written("3", 0, T0));
    WrittenExecutor written = load.written("1", 101 * SECOND, T0 + 101_000);
    LoadView view = load.view(101 * SECOND, T0 + 101_000);
    assertEquals(view.axisStartMillis(), written.axisStartMillis());
    assertEquals(view.bucketMillis(), written.bucketMillis());
    for (int i = 0; i < 2; i++) {
      assertEquals(view.devices().get(i).load(), written.report().devices().get(i));
      List<Integer> shown = view.devices().get(i).utilisation();
      int length = written.utilisation().get(i).size();
      assertEquals(shown.subList(0, length), written.utilisation().get(i));
      assertTrue(shown.subList(length, shown.size()).stream().allMatch(percent -> percent == 0));
    }
    assertTrue(written.utilisation().get(0).size() > 10);
    assertEquals(List.of(), written.utilisation().get(1), "without the zeros at the end");
    assertEquals(List.of("1", "2"), load.executorIds());
  }

  @Test
  void anApplicationThatEndedHasNoActiveDevices() {
    load.update(report("1", 0, T0, List.of(device("host:0", 100, 20))), 0);
    load.applicationEnded(0);
    assertEquals("ended", view().devices().get(0).state());
    assertEquals(0, view().forgottenExecutors());
  }

  /** An executor that ended early was written down with shorter intervals than the others. */
  @Test
  void whatWasWrittenDownEarlyIsAtItsTimeInTheHistoryServer() {
    List<Integer> early = Collections.nCopies(8, 100);
    load.restoreExecutor(report("1", 0, T0, List.of(device("a", 1, 1))), T0, 250, List.of(early));
    load.restoreExecutor(
        report("2", 0, T0, List.of(device("a", 1, 1))), T0, 1000, List.of(List.of(50, 50)));
    load.restoreExecutor(report("3", 0, T0, List.of(device("a", 1, 1))), T0, 500, List.of(early));
    List<LoadView.Device> devices = load.view(0, T0 + 4000).devices();
    assertEquals(List.of(100, 100, 0), devices.get(0).utilisation().subList(0, 3));
    assertEquals(List.of(50, 50, 0), devices.get(1).utilisation().subList(0, 3));
    assertEquals(List.of(100, 100, 100, 100, 0), devices.get(2).utilisation().subList(0, 5));
  }

  @Test
  void namesOfUdfsAreBounded() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    for (int i = 0; i < 1000; i++) {
      TaskWork work = table.task("udf " + i + "x".repeat(10_000), 0, 0, i);
      table.entry(0).beginBlock(0);
      table.entry(0).endBlock(3, 0, 10, false, work);
    }
    ExecutorLoad report = table.report("1", 0);
    assertEquals(LoadTable.MOST_UDFS + 1, report.udfs().size());
    assertEquals(3000, report.udfs().stream().mapToLong(udf -> udf.work().rows()).sum());
    assertTrue(report.udfs().stream().allMatch(udf -> udf.udf().length() <= 201));
  }

  @Test
  void workForAttemptsThatFailIsWasted() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    TaskWork work = table.task("f", 0, 0, 1);
    table.entry(0).beginBlock(0);
    table.entry(0).endBlock(3, 0, 10, false, work);
    table.endTask(table.task("f", 0, 0, 2), true); // had nothing computed
    assertEquals(Waste.NONE, table.wasted());
    table.endTask(work, true);
    assertEquals(new Waste(1, 3, 10), table.wasted());
  }

  @Test
  void anAttemptWithThreeNodesIsOneTask() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    for (long task = 1; task <= 2; task++) {
      List<TaskWork> nodes = new ArrayList<>();
      for (String udf : List.of("f", "g", "h")) {
        nodes.add(table.task(udf, 0, 0, task));
      }
      for (TaskWork node : nodes) {
        table.entry(0).beginBlock(0);
        table.entry(0).endBlock(3, 0, 10, false, node);
      }
      nodes.forEach(node -> table.endTask(node, true));
      assertEquals(new Waste(task, 9 * task, 30 * task), table.wasted());
    }
  }

  /** An executor of one device that has computed some rows, a microsecond each. */
  private void reportRows(String executor, long sequence, long rows) {
    DeviceLoad device = Reports.device("host:0", rows, 0);
    load.update(report(executor, sequence, T0, List.of(device)), 0);
  }

  private Waste wasted() {
    return load.view(0, T0).wasted();
  }

  @Test
  void whatALostExecutorComputedForNobodyIsWasted() {
    reportRows("1", 0, 100);
    load.addStageTask(0, 0, "1", 0, new Work(70, 0, 0, 0));
    assertEquals(Waste.NONE, wasted(), "of a task that runs");
    load.addLostTask("1");
    load.addLostTask("1");
    assertEquals(new Waste(2, 30, 0), load.executorEnded("1", 0).wasted());
    assertEquals(new Waste(2, 30, 0), wasted());
    load.addStageTask(0, 0, "1", 1, new Work(10, 0, 0, 0)); // had ended well, and is heard of late
    assertEquals(new Waste(2, 20, 0), wasted());
    load.addStageTask(0, 0, "1", 2, new Work(50, 0, 0, 0)); // had not been reported
    assertEquals(Waste.NONE, wasted());
  }

  @Test
  void noCounterOfWhatIsReportedAsWastedGoesDown() {
    reportRows("1", 0, 100);
    load.executorEnded("1", 0);
    assertEquals(new Waste(1, 100, 0), load.reportedView(0, T0).wasted());
    load.addStageTask(0, 0, "1", 0, new Work(70, 0, 0, 0)); // had ended well, and is heard of late
    assertEquals(new Waste(1, 30, 0), wasted());
    assertEquals(new Waste(1, 100, 0), load.reportedView(0, T0).wasted());
    assertEquals(new Waste(1, 30, 0), wasted(), "what is told changes nothing else");
    reportRows("2", 0, 80);
    load.executorEnded("2", 0);
    assertEquals(new Waste(2, 110, 0), load.reportedView(0, T0).wasted());
  }

  @Test
  void whatARetriedStageComputesAgainIsWastedWhereItWasLost() {
    reportRows("1", 0, 130);
    reportRows("2", 0, 200);
    assertNull(load.addStageTask(0, 0, "1", 0, new Work(60, 0, 0, 6)));
    assertNull(load.addStageTask(0, 0, "1", 1, new Work(40, 0, 0, 4)));
    assertNull(load.addStageTask(0, 0, "2", 2, new Work(100, 0, 0, 10)));
    assertNull(load.addStageTask(1, 0, "2", 0, new Work(40, 0, 0, 4)), "another stage's part");
    load.executorEnded("1", 0);
    assertEquals(new Waste(1, 30, 0), wasted(), "until somebody wants the rest of what was lost");
    assertEquals("1", load.addStageTask(0, 1, "2", 0, new Work(60, 0, 0, 6)));
    assertEquals(new Waste(2, 90, 6), wasted());
    assertEquals(new Waste(2, 90, 6), load.written("1", 0, T0).report().wasted());
    assertEquals("2", load.addStageTask(0, 2, "2", 0, new Work(60, 0, 0, 6)), "once more");
    assertEquals(new Waste(3, 150, 12), wasted());
  }

  @Test
  void anExecutorThatIsForgottenLeavesItsWaste() {
    ApplicationLoad small = new ApplicationLoad(new ApplicationLoad.Limits(0, 10, 10, 10));
    small.update(report("1", 0, T0, List.of(Reports.device("host:0", 100, 0))), 0);
    small.addStageTask(0, 0, "1", 0, new Work(70, 0, 0, 0));
    assertEquals(new Waste(1, 30, 0), small.executorEnded("1", 0).wasted());
    assertEquals(new Waste(1, 30, 0), small.view(0, T0).wasted());
    assertNull(small.addStageTask(0, 1, "2", 0, new Work(70, 0, 0, 0)));
    assertEquals(new Waste(2, 100, 0), small.view(0, T0).wasted());
  }

  @Test
  void whatWasWrittenDownHasItsWasteInIt() {
    reportRows("1", 0, 100);
    load.addStageTask(0, 0, "1", 0, new Work(70, 0, 0, 0));
    ApplicationLoad history = new ApplicationLoad(new ApplicationLoad.Limits(9, 10, 10, 10));
    history.restoreExecutor(load.executorEnded("1", 0), T0, 250, List.of());
    history.executorEnded("1", 0);
    assertEquals(new Waste(1, 30, 0), history.view(0, T0).wasted());
    assertNull(history.view(0, T0).devices().get(0).ageMillis(), "nobody waits for a report");
  }

  @Test
  void workForAnAttemptIsWastedOnceHoweverOftenItEnds() {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    TaskWork failed = table.task("f", 0, 0, 1);
    TaskWork done = table.task("f", 0, 0, 2);
    for (TaskWork work : List.of(failed, done)) {
      table.entry(0).beginBlock(0);
      table.entry(0).endBlock(3, 0, 10, false, work);
    }
    for (int i = 0; i < 2; i++) {
      table.endTask(done, false);
      table.endTask(failed, true);
    }
    assertEquals(new Waste(1, 3, 10), table.wasted());
    UdfLoad udf = table.report("1", 0).udfs().get(0);
    assertEquals(6, udf.work().rows(), "wasted rows were computed, too");
    assertEquals(2, udf.work().blocks());
    assertEquals(10, udf.times().maxNanos());
  }

  /** A reader never sees a task that ends in both of its places, nor in none. */
  @Test
  void aUdfsFiguresOnlyGrowWhileTasksEnd() throws InterruptedException {
    LoadTable table = LoadTable.ofNames(List.of("host:0"));
    int tasks = 20_000;
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; i < tasks; i++) {
                TaskWork work = table.task("f", 0, 0, i);
                table.entry(0).endBlock(3, 0, 10, true, work);
                table.endTask(work, false);
              }
            });
    writer.start();
    long rows = 0;
    boolean last;
    do {
      last = !writer.isAlive();
      List<UdfLoad> udfs = table.report("1", 0).udfs();
      long now = udfs.isEmpty() ? 0 : udfs.get(0).work().rows();
      assertTrue(now >= rows && now <= 3L * tasks, now + " after " + rows);
      rows = now;
    } while (!last);
    assertEquals(3L * tasks, rows);
  }

  @Test
  void oneDeviceIsOne() {
    load.update(report("1", 0, T0, List.of(device("host:0", 0, 0))), 0);
    load.update(report("2", 0, T0, List.of(device("host:0", 0, 0), device("host:1", 0, 0))), 0);
    assertEquals(
        List.of("1 device: host:0", "2 devices: host:0, host:1"),
        view().events().stream().map(DeviceEvent::detail).toList());
  }

  @Test
  void aDeviceThatComesLaterLeavesTheOthersWhatTheyDid() {
    load.update(report("1", 0, T0, List.of(device("host:0", 0, 0))), 0);
    load.update(report("1", 1, T0 + 1000, List.of(device("host:0", 10, 500))), 0);
    load.update(
        report("1", 2, T0 + 1250, List.of(device("host:0", 10, 500), borrowed("remote:0", 5, 125))),
        0);
    List<LoadView.Device> devices = view().devices();
    assertEquals(List.of(50, 50, 50, 50, 0), devices.get(0).utilisation().subList(0, 5));
    assertEquals(List.of(0, 0, 0, 0, 50), devices.get(1).utilisation().subList(0, 5));
    assertEquals(
        List.of("started", "borrowed"), view().events().stream().map(DeviceEvent::kind).toList());
  }

  private static DeviceLoad borrowed(String name, long rows, long busyMillis) {
    return device(name, rows, busyMillis).toBuilder().borrowed(true).build();
  }

  @Test
  void anExecutorBorrowsOnceHoweverManyCores() {
    List<DeviceLoad> devices = new ArrayList<>(List.of(device("host:0", 0, 0)));
    for (int i = 0; i < 128; i++) {
      load.update(report("1", i, T0 + i, devices), 0);
      devices.add(borrowed("remote:" + i, 5, 125));
    }
    load.update(report("2", 0, T0, devices), 0);
    assertEquals(
        List.of("1 started", "1 borrowed", "2 started", "2 borrowed"),
        view().events().stream().map(e -> e.executorId() + " " + e.kind()).toList());
    assertEquals("1 device: host:0", view().events().get(2).detail());
  }

  @Test
  void failuresAndQuarantinesHaveRoomOfTheirOwn() {
    for (String kind : List.of("quarantined", "failure", "started")) {
      for (int i = 0; i < 200; i++) {
        load.addEvent(new DeviceEvent(T0, "1", "", kind, "" + i));
      }
    }
    load.addEvent(new DeviceEvent(T0, "1", "", "failure", "last"));
    List<DeviceEvent> events = view().events();
    assertEquals(60, events.size());
    assertEquals("quarantined 180", events.get(0).kind() + " " + events.get(0).detail());
    assertEquals("failure 181", events.get(20).kind() + " " + events.get(20).detail());
    assertEquals("last", events.get(59).detail(), "in the order they came");
  }

  @Test
  void timeOnABorrowedCoreIsInTheSumsOnce() {
    load.update(
        report("1", 0, T0, List.of(device("host:0", 10, 5), borrowed("remote:0", 7, 3))), 0);
    DeviceLoad lender =
        device("host:0", 0, 3).toBuilder().lentRows(7L).lentNanos(3_000_000L).build();
    load.update(report("2", 0, T0, List.of(lender)), 0);
    assertEquals(8_000_000L, view().total().busyNanos());
    assertEquals(17, view().total().rows());
    assertEquals(2, view().runningDevices());
  }

  /** What a lender computed for others is of use to them. */
  @Test
  void timeThatAnEndedExecutorHadLentIsNotWasted() {
    DeviceLoad lender =
        device("host:0", 100, 500).toBuilder().lentRows(30L).lentNanos(400_000_000L).build();
    load.update(report("1", 0, T0, List.of(lender)), 0);
    load.executorEnded("1", 0);
    assertEquals(100, view().wasted().rows());
    assertEquals(100_000_000L, view().wasted().busyNanos());
  }
}
