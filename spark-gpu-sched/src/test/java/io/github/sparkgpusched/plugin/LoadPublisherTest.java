package io.github.sparkgpusched.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.github.sparkgpusched.api.DeviceLoad;
import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.BlockSpan;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.QueryLoad;
import io.github.sparkgpusched.load.Reports;
import io.github.sparkgpusched.load.StageLoad;
import io.github.sparkgpusched.load.TaskRun;
import io.github.sparkgpusched.load.Work;
import io.github.sparkgpusched.runtime.LoadAccumulator;
import io.github.sparkgpusched.ui.GpuSchedDeviceEvent;
import io.github.sparkgpusched.ui.GpuSchedDevicesEvent;
import io.github.sparkgpusched.ui.GpuSchedQueryEvent;
import io.github.sparkgpusched.ui.GpuSchedStageEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.util.JsonProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Reports that come after Spark has removed their executor, as messages may overtake events. */
class LoadPublisherTest {
  private static final long T0 = 1_700_000_000_000L;

  private final MetricRegistry registry = new MetricRegistry();
  private final List<SparkListenerEvent> log = new ArrayList<>();
  private ApplicationLoad load;
  private LoadPublisher publisher;
  private long nanos;

  private void start(int retainedEndedExecutors) {
    ApplicationLoad.Limits limits = new ApplicationLoad.Limits(retainedEndedExecutors, 10, 10, 10);
    load = new ApplicationLoad(limits);
    publisher =
        new LoadPublisher(
            "me",
            load,
            LoadMetrics.ofApplication(registry, load),
            limits,
            log::add,
            () -> nanos,
            this::now);
  }

  private long now() {
    return T0 + TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /** A report of so many seconds of work, by a clock that is ahead, which comes after a while. */
  private void reportedBy(String executor, long second, long aheadMillis, long takesMillis) {
    long millis = T0 + second * 1000;
    long micros = (millis + aheadMillis) * 1000;
    nanos = TimeUnit.MILLISECONDS.toNanos(second * 1000 + takesMillis);
    publisher.reported(
        ExecutorLoad.builder(executor)
            .sequence(second)
            .timeMillis(millis + aheadMillis)
            .devices(List.of(Reports.device("host:0", 10 * second, 1000 * second)))
            .spans(
                List.of(
                    new BlockSpan("host:0", micros - 1_000_000, micros, 3, 4, true, 1, 0, 9, null)))
            .build());
  }

  private void reported(String executor, long sequence, long rows) {
    publisher.reported(
        Reports.report(
            executor, sequence, T0 + sequence, List.of(Reports.device("host:0", rows, 10))));
  }

  private void removed(String executor) {
    publisher.onExecutorRemoved(new SparkListenerExecutorRemoved(T0, executor, "idle"));
  }

  private LoadView view() {
    return load.view(0, T0);
  }

  @Test
  void aReportOfAForgottenExecutorDoesNotReviveIt() {
    start(0);
    Set<String> before = Set.copyOf(registry.getNames());
    reported("1", 0, 100);
    removed("1");
    reported("1", 1, 120);
    assertEquals(before, registry.getNames());
    assertEquals(List.of(), view().devices());
    assertEquals(100, view().total().rows(), "counted once");
    assertEquals(1, view().forgottenExecutors());
  }

  @Test
  void aLateReportOfAnEndedExecutorIsItsLastAndItStaysEnded() {
    start(5);
    Set<String> before = Set.copyOf(registry.getNames());
    reported("1", 0, 100);
    removed("1");
    reported("1", 1, 120);
    assertEquals(before, registry.getNames());
    assertEquals(120, view().total().rows(), "what it did late was done");
    assertTrue(view().devices().get(0).ended());
    publisher.logRest();
    List<GpuSchedDevicesEvent> written =
        log.stream()
            .map(event -> event instanceof GpuSchedDevicesEvent devices ? devices : null)
            .filter(Objects::nonNull)
            .toList();
    GpuSchedDevicesEvent last = written.get(written.size() - 1);
    assertEquals(120, last.report().devices().get(0).rows(), "in the log, too");
    assertEquals(
        List.of(false, true, true), written.stream().map(GpuSchedDevicesEvent::ended).toList());
  }

  @Test
  void anExecutorWhoseFirstReportIsLateNeverLives() {
    start(5);
    Set<String> before = Set.copyOf(registry.getNames());
    removed("1");
    reported("1", 0, 100);
    assertEquals(before, registry.getNames());
    assertEquals(100, view().total().rows());
    assertTrue(view().devices().get(0).ended());
  }

  @Test
  void anExecutorThatRunsIsNotTouchedByTheEndOfAnother() {
    start(0);
    reported("1", 0, 100);
    reported("2", 0, 10);
    removed("1");
    reported("2", 1, 20);
    assertEquals(20L, registry.getGauges().get("gpusched.device.2.host_0.rows").getValue());
    assertEquals(120, view().total().rows());
    assertEquals(1, view().devices().size());
  }

  @Test
  void aStageThatFailedBeforeItsExecutorsFirstReportIsInTheLogOnce() {
    start(5);
    load.stageBegun(7, 0, "f", 1);
    assertNull(load.stageEnded(7, 0, "boom"));
    for (long sequence = 0; sequence < 2; sequence++) {
      publisher.reported(
          ExecutorLoad.builder("1")
              .sequence(sequence)
              .timeMillis(T0 + sequence)
              .devices(List.of(Reports.device("host:0", 100, 10)))
              .failedTasks(List.of(new TaskRun(1, 7, 0, new Work(100, 1, 0, 10))))
              .build());
    }
    List<StageLoad> written =
        log.stream()
            .map(event -> event instanceof GpuSchedStageEvent stage ? stage.stage() : null)
            .filter(Objects::nonNull)
            .toList();
    assertEquals(1, written.size());
    assertEquals("boom", written.get(0).failure());
  }

  @Test
  void aFailureIsWrittenDownHoweverManyExecutorsCameAndWent() {
    start(5);
    for (int i = 0; i < 30; i++) {
      reported("" + i, 0, 100);
      removed("" + i);
    }
    DeviceLoad failed = Reports.device("host:0", 1, 1).toBuilder().failures(2).build();
    publisher.reported(Reports.report("x", 0, T0, List.of(failed)));
    List<String> written =
        log.stream()
            .map(event -> event instanceof GpuSchedDeviceEvent device ? device.event().kind() : "")
            .filter(kind -> !kind.isEmpty())
            .toList();
    assertEquals(11, written.size(), written.toString());
    assertEquals("failure", written.get(10));
  }

  private void endQuery(long id) {
    load.queryBegun(id, "sales", "ada", T0);
    load.queryComputes(id, List.of("f"));
    load.queryStage(id, (int) id, 0, T0, 8);
    load.stageEnded((int) id, 0, "cancelled");
    // Spark's versions differ in the constructor.
    String end =
        """
        {"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd",\
        "executionId":%d,"time":%d,"errorMessage":"boom"}"""
            .formatted(id, T0 + 90);
    publisher.onOtherEvent(JsonProtocol.sparkEventFromJson(end));
  }

  private void wasted(int stage, long sequence, long rows) {
    publisher.reported(
        ExecutorLoad.builder("1")
            .sequence(sequence)
            .failedTasks(List.of(new TaskRun(sequence, stage, 0, new Work(rows, 1, 0, 10))))
            .build());
  }

  private List<QueryLoad> writtenQueries() {
    return log.stream()
        .map(event -> event instanceof GpuSchedQueryEvent query ? query.query() : null)
        .filter(Objects::nonNull)
        .toList();
  }

  /** An executor tells of tasks that were killed when Spark has said that their query ended. */
  @Test
  void aQueryOfWhichMoreBecomesKnownLateIsWrittenAgain() {
    start(5);
    endQuery(7);
    assertEquals(1, writtenQueries().size());
    assertEquals(List.of(), writtenQueries().get(0).stages());
    wasted(7, 0, 100);
    assertEquals(1, writtenQueries().size(), "not with each report");
    nanos = TimeUnit.SECONDS.toNanos(10);
    wasted(7, 1, 20);
    assertEquals(2, writtenQueries().size());
    QueryLoad late = writtenQueries().get(1);
    assertEquals(7, late.id());
    assertEquals(120, late.wastedRows());
    assertEquals(List.of("7.0"), late.stages());
    assertEquals(8, late.allTasks());
    assertEquals("boom", late.failure());
    assertEquals(T0 + 90, late.endMillis());
    publisher.logRest();
    assertEquals(2, writtenQueries().size(), "nothing has changed since");
    wasted(7, 2, 3);
    publisher.logRest();
    assertEquals(123, writtenQueries().get(2).wastedRows());
  }

  @Test
  void whatIsWrittenAgainTakesNoOthersRoom() {
    start(5);
    for (int id = 0; id < 12; id++) {
      endQuery(id);
      wasted(id, id, 100);
      publisher.logRest();
    }
    List<Long> ids = writtenQueries().stream().map(QueryLoad::id).toList();
    assertEquals(LongStream.range(0, 10).boxed().toList(), ids.stream().distinct().toList());
    assertEquals(20, ids.size(), "each twice");
  }

  @Test
  void aTaskWithoutRowsCountsForHowLongItsQueryRunsOn() {
    start(5);
    load.queryBegun(7, "sales", "ada", T0);
    load.queryComputes(7, List.of("f"));
    load.queryStage(7, 7, 0, T0, 2);
    reported("1", 0, 10);
    publisher.reported(
        ExecutorLoad.builder("1")
            .sequence(1)
            .running(List.of(new TaskRun(5, 7, 0, new Work(100, 1, 0, 10))))
            .build());
    TaskInfo info = new TaskInfo(6, 0, 0, 0, 0L, "1", "host", TaskLocality.ANY(), false);
    publisher.onTaskEnd(TaskEnds.ofSuccess(7, info));
    assertEquals(4000, load.queries(0, T0 + 4000).get(0).leftMillis());
  }

  /** Spark tells of tasks by another way than of executors' ends. */
  @Test
  void aTaskThatIsToldOfAfterItsExecutorsEndIsNotWasted() {
    start(5);
    reported("1", 0, 1000);
    removed("1");
    TaskInfo info = new TaskInfo(6, 0, 0, 0, 0L, "1", "host", TaskLocality.ANY(), false);
    Map<String, Work> update = Map.of("1/host:0", new Work(900, 1, 0, 9_000_000));
    TaskEnds.accumulate(info, LoadAccumulator.NAME, update);
    publisher.onTaskEnd(TaskEnds.ofSuccess(7, info));
    publisher.logRest();
    List<Long> wasted =
        log.stream()
            .filter(GpuSchedDevicesEvent.class::isInstance)
            .map(event -> ((GpuSchedDevicesEvent) event).report().wasted().rows())
            .toList();
    assertEquals(List.of(0L, 1000L, 100L), wasted, "as it began, ended, and by then");
  }

  /** With a clock of its own it would have the axis reach over all of that hour. */
  @ParameterizedTest
  @ValueSource(longs = {3_600_000, -3_600_000})
  void anExecutorWhoseClockIsWrongIsBesideTheOthers(long aheadMillis) {
    start(5);
    for (int second = 0; second < 5; second++) {
      reportedBy("2", second, aheadMillis, 0);
      reportedBy("1", second, 0, 0);
    }
    LoadView view = load.view(nanos, now());
    assertEquals(T0, view.axisStartMillis());
    assertEquals(250, view.bucketMillis());
    assertEquals(100, view.devices().get(1).utilisation().get(10));
    assertEquals(view.devices().get(1).utilisation(), view.devices().get(0).utilisation());
    for (int i = 0; i < 10; i += 2) {
      BlockSpan ofOther = view.spans().get(i + 1).span();
      assertEquals(ofOther, view.spans().get(i).span());
    }
    assertEquals(T0, view.events().get(0).timeMillis());
  }

  @Test
  void aReportThatIsLateHasTheTimeAtWhichItWasMade() {
    start(5);
    reportedBy("1", 0, 0, 900);
    reportedBy("1", 1, 0, 4000);
    assertEquals((T0 + 1000) * 1000, view().spans().get(1).span().endMicros());
  }

  @Test
  void aClockThatIsSetIsRightFromThenOn() {
    start(5);
    reportedBy("1", 0, 3_600_000, 0);
    reportedBy("1", 1, 0, 0);
    reportedBy("1", 2, -3_600_000, 0);
    reportedBy("1", 3, 0, 0);
    List<Long> ends = view().spans().stream().map(span -> span.span().endMicros()).toList();
    assertEquals(LongStream.range(0, 4).map(s -> (T0 + 1000 * s) * 1000).boxed().toList(), ends);
  }

  private long writtenDown() {
    return log.stream().filter(event -> event instanceof GpuSchedDevicesEvent).count();
  }

  /** As docs/monitoring.md says: after 10 s, 30 s, 70 s and so on. */
  @Test
  void aStageOfHoursIsWrittenDownMeanwhile() {
    start(5);
    List<Long> written = new ArrayList<>();
    for (int second = 0; second < 200; second++) {
      nanos = TimeUnit.SECONDS.toNanos(second);
      long before = writtenDown();
      reported("1", second, 100 + second);
      if (writtenDown() > before) {
        written.add((long) second);
      }
    }
    assertEquals(List.of(0L, 10L, 30L, 70L, 150L), written);
    GpuSchedDevicesEvent last = (GpuSchedDevicesEvent) log.get(log.size() - 1);
    assertEquals(250, last.report().devices().get(0).rows());
  }

  @Test
  void theEndOfAStageWithoutRowsIsAnOccasionToWriteDown() {
    start(5);
    reported("1", 0, 100);
    long before = writtenDown();
    nanos = TimeUnit.SECONDS.toNanos(10);
    publisher.onStageCompleted(new SparkListenerStageCompleted(stage(3)));
    assertEquals(before + 1, writtenDown());
  }

  private static StageInfo stage(int id) {
    return new StageInfo(
        id,
        0,
        "f",
        1,
        CollectionConverters.asScala(List.<RDDInfo>of()).toList(),
        CollectionConverters.asScala(List.<Object>of()).toList(),
        "",
        null,
        null,
        Option.empty(),
        0,
        false,
        0);
  }

  /** Spans of stages beyond those that are written down are not kept for the end. */
  @Test
  void spansOfStagesThatAreNotWrittenDownAreDropped() {
    start(5);
    for (int stage = 0; stage < 12; stage++) {
      load.stageBegun(stage, 0, "f", 1);
      assertNull(load.stageEnded(stage, 0, "boom"));
      publisher.reported(
          ExecutorLoad.builder("1")
              .sequence(stage)
              .timeMillis(T0 + stage)
              .devices(List.of(Reports.device("host:0", 100, 10)))
              .spans(List.of(new BlockSpan("host:0", 1, 2, 3, 4, true, stage, 0, 9, null)))
              .failedTasks(List.of(new TaskRun(1, stage, 0, new Work(100, 1, 0, 10))))
              .build());
    }
    publisher.logRest();
    List<GpuSchedStageEvent> written =
        log.stream()
            .map(event -> event instanceof GpuSchedStageEvent stage ? stage : null)
            .filter(Objects::nonNull)
            .toList();
    assertEquals(10, written.size(), "as many stages as are retained");
    assertEquals(10, written.stream().mapToInt(event -> event.spans().size()).sum());
  }
}
