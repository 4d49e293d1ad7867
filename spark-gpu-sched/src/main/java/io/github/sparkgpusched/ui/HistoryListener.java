package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.ApplicationLoad;
import io.github.sparkgpusched.load.LoadView;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.status.ElementTrackingStore;
import scala.runtime.BoxedUnit;

/**
 * Makes the load table of an event log again, and puts it into the store when the log has been
 * read. One thread calls it.
 */
final class HistoryListener extends SparkListener {
  /** What is newer than this class is left out. */
  private static final int VERSION = 1;

  private final ApplicationLoad load;

  /** Executors that have ended; their last figures follow in the log, or are there already. */
  private final Set<String> ending = new LinkedHashSet<>();

  private boolean seen;

  HistoryListener(ElementTrackingStore store, ApplicationLoad.Limits limits) {
    load = new ApplicationLoad(limits);
    store.onFlush(
        () -> {
          if (seen) {
            ending.forEach(load::executorEnded);
            LoadView view = load.view(0, System.currentTimeMillis());
            store.write(new StoredLoad(Json.write(view)));
          }
          return BoxedUnit.UNIT;
        });
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof GpuSchedDevicesEvent devices && devices.version() <= VERSION) {
      load.restoreExecutor(
          devices.report(),
          devices.axisStartMillis(),
          devices.bucketMillis(),
          devices.utilisation());
      if (ending.remove(devices.report().executorId())) {
        load.executorEnded(devices.report().executorId());
      }
    } else if (event instanceof GpuSchedDeviceEvent device && device.version() <= VERSION) {
      load.addEvent(device.event());
    } else if (event instanceof GpuSchedStageEvent stage && stage.version() <= VERSION) {
      if (stage.stage() != null) {
        load.restoreStage(stage.stage());
      }
      load.addSpans(stage.spans());
    } else if (event instanceof GpuSchedFallbackEvent call && call.version() <= VERSION) {
      load.addFallback(call.udf(), call.reason());
    } else {
      return;
    }
    seen = true;
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    ending.add(removed.executorId());
  }
}
