package io.github.sparkgpusched.it.testing;

import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.SparkFirehoseListener;
import org.apache.spark.scheduler.LiveListenerBus;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * Spark's listeners hear of things late, as on a machine that others keep busy: what comes after a
 * pause waits, and all that follows waits behind it. So who asks for what listeners have noted, and
 * doesn't wait for it, finds nothing. Tests run so by the Maven profile {@code late-events}.
 *
 * <p>In Spark's queue of listeners that users add, and from the first job on in that of its status
 * store. Each queue has a thread of its own.
 */
public final class LateEvents extends SparkFirehoseListener {
  private static final long PAUSE_NANOS = 20_000_000;
  private static final long LATE_NANOS = 400_000_000;

  private final boolean first;
  private boolean everywhere;
  private long lastNanos = System.nanoTime();

  /** Made by Spark, of {@code spark.extraListeners}. */
  public LateEvents() {
    this(true);
  }

  private LateEvents(boolean first) {
    this.first = first;
  }

  @Override
  public void onEvent(SparkListenerEvent event) {
    if (first && !everywhere) {
      SparkContext context = SparkContext$.MODULE$.getActive().getOrElse(() -> null);
      if (context != null) {
        everywhere = true;
        LiveListenerBus bus = context.listenerBus();
        bus.addToStatusQueue(new LateEvents(false));
      }
    }
    if (System.nanoTime() - lastNanos > PAUSE_NANOS) {
      LockSupport.parkNanos(LATE_NANOS);
    }
    lastNanos = System.nanoTime();
  }
}
