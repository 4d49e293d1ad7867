package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.schedule.JobStats;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.util.AccumulatorV2;

/**
 * What each device of each executor did for an application, as a Spark accumulator named {@value
 * #NAME}: tasks add, the driver merges, failed attempts count as Spark counts them. On the driver
 * reads see whole tasks.
 */
public final class LoadAccumulator
    extends AccumulatorV2<LoadAccumulator.Entry, Map<String, LoadAccumulator.Work>> {
  private static final long serialVersionUID = 1L;

  /** The accumulator's name in the Spark UI and REST. */
  public static final String NAME = "gpusched load";

  /**
   * The one of the running application; an application is a SparkContext, of which a JVM has one.
   */
  private static LoadAccumulator ofApplication;

  private static SparkContext application;

  /**
   * What a device computed.
   *
   * @param rows rows
   * @param blocks blocks
   * @param stolenBlocks those of them that were first dealt to another device
   * @param busyNanos time spent computing them, in nanoseconds
   */
  public record Work(long rows, long blocks, long stolenBlocks, long busyNanos)
      implements Serializable {
    Work plus(Work other) {
      return new Work(
          rows + other.rows,
          blocks + other.blocks,
          stolenBlocks + other.stolenBlocks,
          busyNanos + other.busyNanos);
    }

    @Override
    public String toString() {
      return String.format(
          "%d rows in %d blocks (%d stolen), %.3f s", rows, blocks, stolenBlocks, busyNanos / 1e9);
    }
  }

  /** Work of one device, named {@code executor/device}. */
  public record Entry(String device, Work work) {}

  /** Guarded by this: tasks add while the executor's heartbeat copies. */
  private final TreeMap<String, Work> work = new TreeMap<>();

  /** The application's accumulator, registered at first use. Driver only. */
  public static synchronized LoadAccumulator of(SparkContext sc) {
    if (application != sc) {
      LoadAccumulator accumulator = new LoadAccumulator();
      sc.register(accumulator, NAME);
      ofApplication = accumulator;
      application = sc;
    }
    return ofApplication;
  }

  /**
   * Forgets an application that ends, and returns its accumulator, or null if it was never used.
   * Driver only.
   */
  public static synchronized LoadAccumulator forget(SparkContext sc) {
    if (application != sc) {
      return null;
    }
    LoadAccumulator accumulator = ofApplication;
    ofApplication = null;
    application = null;
    return accumulator;
  }

  /** Adds a job's work. */
  public void add(
      String executor, JobStats job, java.util.function.IntFunction<String> deviceName) {
    for (int i = 0; i < job.devices(); i++) {
      if (job.blocks(i) > 0) {
        add(
            new Entry(
                executor + "/" + deviceName.apply(i),
                new Work(job.rows(i), job.blocks(i), job.stolenBlocks(i), job.busyNanos(i))));
      }
    }
  }

  /** The executor's heartbeat serializes the accumulator itself, while its task adds to it. */
  private synchronized void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
  }

  @Override
  public synchronized boolean isZero() {
    return work.isEmpty();
  }

  @Override
  public synchronized LoadAccumulator copy() {
    LoadAccumulator copy = new LoadAccumulator();
    copy.work.putAll(work);
    return copy;
  }

  @Override
  public synchronized void reset() {
    work.clear();
  }

  @Override
  public synchronized void add(Entry entry) {
    work.merge(entry.device(), entry.work(), Work::plus);
  }

  @Override
  public void merge(AccumulatorV2<Entry, Map<String, Work>> other) {
    Map<String, Work> theirs = other.value();
    synchronized (this) {
      theirs.forEach((device, done) -> work.merge(device, done, Work::plus));
    }
  }

  /** Work by {@code executor/device}; an immutable copy. */
  @Override
  public synchronized Map<String, Work> value() {
    return Collections.unmodifiableMap(new TreeMap<>(work));
  }
}
