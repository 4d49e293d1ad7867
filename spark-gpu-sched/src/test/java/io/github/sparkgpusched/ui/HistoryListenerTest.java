package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.DeviceEvent;
import io.github.sparkgpusched.load.ExecutorLoad;
import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.load.QueryLoad;
import io.github.sparkgpusched.load.Reports;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.util.kvstore.InMemoryStore;
import org.junit.jupiter.api.Test;
import scala.Option;

/** An event log has an executor's last figures behind Spark's own word that it has ended. */
class HistoryListenerTest {
  private static final long T0 = 1_700_000_000_000L;

  private static GpuSchedDevicesEvent devices(String executor, long sequence, long rows) {
    return devices(executor, sequence, rows, false);
  }

  private static GpuSchedDevicesEvent devices(
      String executor, long sequence, long rows, boolean ended) {
    ExecutorLoad report =
        Reports.report(executor, sequence, T0, List.of(Reports.device("host:0", rows, 10)));
    return new GpuSchedDevicesEvent(1, report, T0, 250, List.of(List.of()), ended);
  }

  private static LoadView replayed(int retainedEndedExecutors) throws Exception {
    InMemoryStore store = new InMemoryStore();
    ElementTrackingStore tracking = new ElementTrackingStore(store, new SparkConf(false));
    HistoryListener listener =
        new HistoryListener(
            tracking, new ApplicationLoad.Limits(retainedEndedExecutors, 10, 10, 10));
    listener.onOtherEvent(devices("1", 0, 100));
    listener.onOtherEvent(devices("2", 0, 7));
    listener.onExecutorRemoved(new SparkListenerExecutorRemoved(T0, "1", "idle"));
    listener.onOtherEvent(devices("1", 1, 120));
    listener.onExecutorRemoved(new SparkListenerExecutorRemoved(T0, "2", "idle"));
    listener.onOtherEvent(devices("1", 1, 120)); // as its waste was found to be more
    tracking.close(false);
    return Json.read(store.read(StoredLoad.class, StoredLoad.KEY).json);
  }

  @Test
  void anExecutorsLastFiguresCountOnceAndItStaysEnded() throws Exception {
    LoadView view = replayed(5);
    assertEquals(127, view.total().rows());
    assertEquals(List.of(true, true), view.devices().stream().map(LoadView.Device::ended).toList());
  }

  private static LoadView replayed(SparkListenerEvent... events) throws Exception {
    InMemoryStore store = new InMemoryStore();
    ElementTrackingStore tracking = new ElementTrackingStore(store, new SparkConf(false));
    HistoryListener listener =
        new HistoryListener(tracking, new ApplicationLoad.Limits(0, 10, 10, 10));
    for (SparkListenerEvent event : events) {
      if (event instanceof SparkListenerApplicationEnd end) {
        listener.onApplicationEnd(end);
      } else {
        listener.onOtherEvent(event);
      }
    }
    tracking.close(false);
    return Json.read(store.read(StoredLoad.class, StoredLoad.KEY).json);
  }

  /** The plugin ends after Spark has written that the application does. */
  @Test
  void timeEndsWithTheApplicationAndSoDoItsDevices() throws Exception {
    LoadView view =
        replayed(
            devices("1", 0, 100),
            new SparkListenerApplicationEnd(T0 + 90_000, Option.empty()),
            devices("1", 1, 120),
            devices("2", 0, 7));
    assertEquals(T0 + 90_000, view.timeMillis());
    assertEquals(List.of("ended", "ended"), view.devices().stream().map(d -> d.state()).toList());
    assertEquals(0, view.forgottenExecutors(), "nobody ended before the others");
  }

  /** Spark leaves its events of dead executors out of what it compacts, and keeps ours. */
  @Test
  void executorsHaveEndedInACompactedLog() throws Exception {
    LoadView view =
        replayed(
            devices("1", 0, 100),
            devices("2", 0, 10),
            devices("1", 1, 120, true),
            devices("1", 1, 120, true)); // as its waste was found to be more
    assertEquals(130, view.total().rows());
    assertEquals(1, view.forgottenExecutors(), "as no ended one is retained");
    assertEquals(List.of("active"), view.devices().stream().map(d -> d.state()).toList());
  }

  /** A log of a version before these figures said that they are the last. */
  @Test
  void theEventOfItsEndEndsAnExecutor() throws Exception {
    DeviceEvent ended = new DeviceEvent(T0, "1", "", "ended", "idle");
    LoadView view =
        replayed(
            devices("1", 0, 100),
            new GpuSchedDeviceEvent(1, ended),
            devices("1", 1, 120),
            devices("2", 0, 10),
            new GpuSchedDeviceEvent(1, new DeviceEvent(T0, "2", "host:0", "quarantined", "")));
    assertEquals(130, view.total().rows());
    assertEquals(1, view.forgottenExecutors());
    assertEquals("2", view.devices().get(0).executorId());
  }

  @Test
  void aLogWithoutAnEndGoesToItsLastFigures() throws Exception {
    LoadView view = replayed(devices("1", 0, 100));
    assertEquals(T0, view.timeMillis());
    assertEquals("active", view.devices().get(0).state());
  }

  @Test
  void queriesAreAsTheyWereWrittenDown() throws Exception {
    ApplicationLoad live = new ApplicationLoad(new ApplicationLoad.Limits(0, 10, 10, 10));
    live.queryBegun(3, "sales", "ada", T0);
    live.queryComputes(3, List.of("f"));
    QueryLoad ended = live.queryEnded(3, T0 + 5000, "boom");
    LoadView view = replayed(new GpuSchedQueryEvent(1, ended));
    assertEquals(List.of(ended), view.queries());
    assertEquals(T0 + 5000, view.timeMillis());
  }

  @Test
  void blocksThatWereLeftOutOfTheLogAreMissing() throws Exception {
    LoadView view = replayed(new GpuSchedStageEvent(1, null, List.of(), 41));
    assertEquals(41, view.missedBlocks());
  }

  @Test
  void anExecutorThatIsForgottenIsNotRevived() throws Exception {
    LoadView view = replayed(0);
    assertEquals(127, view.total().rows());
    assertEquals(List.of(), view.devices());
    assertEquals(2, view.forgottenExecutors());
  }

  @Test
  void whatIsWrongInTheServersConfigurationHidesNoApplication() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.gpusched.nonsense", "1")
            .set("spark.gpusched.batch.rows", "many")
            .set("spark.gpusched.ui.retainedSpans", "-5")
            .set("spark.gpusched.ui.retainedStages", "7");
    assertEquals(
        new ApplicationLoad.Limits(100, 20_000, 7, 1000), GpuSchedHistoryPlugin.limits(conf));
  }
}
