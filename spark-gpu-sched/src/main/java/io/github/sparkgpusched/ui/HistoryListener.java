package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.LoadView;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.status.ElementTrackingStore;
import scala.Option;
import scala.runtime.BoxedUnit;

/**
 * Makes the load table of an event log again, and puts it into the store when the log has been
 * read. One thread calls it.
 */
final class HistoryListener extends SparkListener {
  /** What is newer than this class is left out. */
  private static final int VERSION = 1;

  private final ApplicationLoad load;

  /**
   * Executors that have ended; their last figures follow in the log, or are there already. Spark's
   * word of it is not in a log that Spark has compacted; ours are.
   */
  private final Set<String> ending = new LinkedHashSet<>();

  private boolean seen;

  /**
   * When the application ended, in milliseconds since 1970; 0 if it has not, or the driver died.
   */
  private long endMillis;

  /** The latest time in the log: to what is read of a log that has no end, this is now. */
  private long latestMillis;

  HistoryListener(ElementTrackingStore store, ApplicationLoad.Limits limits) {
    load = new ApplicationLoad(limits);
    store.onFlush(
        () -> {
          if (seen) {
            ending.forEach(executor -> load.executorEnded(executor, 0));
            if (endMillis > 0) {
              load.applicationEnded(0);
            }
            LoadView view = load.view(0, endMillis > 0 ? endMillis : latestMillis);
            store.write(new StoredLoad(Json.write(view)));
          }
          return BoxedUnit.UNIT;
        });
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof GpuSchedDevicesEvent devices && devices.version() <= VERSION) {
      reached(devices.report().timeMillis());
      load.restoreExecutor(
          devices.report(),
          devices.axisStartMillis(),
          devices.bucketMillis(),
          devices.utilisation());
      String executor = devices.report().executorId();
      if (ending.remove(executor) || (devices.ended() && load.isRunning(executor))) {
        load.executorEnded(executor, 0);
      }
    } else if (event instanceof GpuSchedDeviceEvent device && device.version() <= VERSION) {
      reached(device.event().timeMillis());
      load.addEvent(device.event());
      if (device.event().endsExecutor()) {
        ending.add(device.event().executorId());
      }
    } else if (event instanceof GpuSchedStageEvent stage && stage.version() <= VERSION) {
      if (stage.stage() != null) {
        load.restoreStage(stage.stage());
      }
      load.addSpans(stage.spans(), stage.leftOutBlocks());
    } else if (event instanceof GpuSchedQueryEvent query && query.version() <= VERSION) {
      reached(query.query().endMillis());
      load.restoreQuery(query.query());
    } else if (event instanceof GpuSchedFallbackEvent call && call.version() <= VERSION) {
      load.addFallback(call.udf(), call.reason());
    } else {
      return;
    }
    seen = true;
  }

  private void reached(long millis) {
    latestMillis = Math.max(latestMillis, millis);
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd end) {
    endMillis = end.time();
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted completed) {
    Option<Object> millis = completed.stageInfo().completionTime();
    if (millis.isDefined()) {
      reached((Long) millis.get());
    }
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    reached(removed.time());
    ending.add(removed.executorId());
  }
}
