package io.github.sparkgpusched.shims;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.EventLoggingListener;
import org.apache.spark.scheduler.LiveListenerBus;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * An application's event log, to its end. Spark 4.0 shuts plugins down before it stops the listener
 * bus. Before 4.0 the bus has stopped by then, and drops what it is given: the last events go to
 * the log itself, which nobody else writes to any more. So what comes while the application stops
 * is held until its plugins are shut down. Thread-safe.
 */
public final class EventLog {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  private final SparkContext sc;

  /** What came while the application stopped, in its order. */
  @GuardedBy("this")
  private final List<SparkListenerEvent> held = new ArrayList<>();

  public EventLog(SparkContext sc) {
    this.sc = sc;
  }

  /** Adds an event, which is an entry of the log at the latest after {@link #writeHeld}. */
  public void add(SparkListenerEvent event) {
    if (sc.isStopped()) {
      synchronized (this) {
        held.add(event);
      }
    } else {
      sc.listenerBus().post(event);
    }
  }

  /**
   * Waits until listeners have heard all that was posted: where they have not yet, what they add
   * would come after {@link #writeHeld}.
   */
  public void awaitListeners(long millis) {
    try {
      sc.listenerBus().waitUntilEmpty(millis);
    } catch (TimeoutException e) {
      LOG.debug("the last events are late, and may not be in the event log", e);
    }
  }

  /** Writes what was held. To be called as plugins are shut down. */
  public synchronized void writeHeld() {
    LiveListenerBus bus = sc.listenerBus();
    Option<EventLoggingListener> log = sc.eventLogger();
    if (!bus.activeQueues().isEmpty()) {
      held.forEach(bus::post);
    } else if (log.isDefined()) {
      held.forEach(log.get()::onOtherEvent);
    }
    held.clear();
  }
}
