package io.github.sparkgpusched.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.load.Work;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.util.AccumulatorV2;

/**
 * What each device of each executor did for an application, as a Spark accumulator named {@value
 * #NAME}: tasks add, the driver merges, failed attempts count as Spark counts them. On the driver
 * reads see whole tasks.
 */
public final class LoadAccumulator extends AccumulatorV2<LoadAccumulator.Entry, Map<String, Work>> {
  private static final long serialVersionUID = 1L;

  /** The accumulator's name in the Spark UI and REST. */
  public static final String NAME = "gpusched load";

  /**
   * The one of the running application; an application is a SparkContext, of which a JVM has one.
   */
  @GuardedBy("LoadAccumulator.class")
  private static LoadAccumulator ofApplication;

  @GuardedBy("LoadAccumulator.class")
  private static SparkContext application;

  /** Of the last queries, by execution id; a query's plan has its own reference. */
  @GuardedBy("LoadAccumulator.class")
  private static final Map<String, LoadAccumulator> OF_QUERIES =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LoadAccumulator> eldest) {
          return size() > 100;
        }
      };

  /** Work of one device, named {@code executor/device}. */
  public record Entry(String device, Work work) {}

  /** Replaced as a whole. Tasks add while the executor's heartbeat copies. */
  @GuardedBy("this")
  private WorkByDevice work;

  public LoadAccumulator() {
    this(WorkByDevice.NONE);
  }

  private LoadAccumulator(WorkByDevice work) {
    this.work = work;
  }

  /** The application's accumulator, registered at first use. Driver only. */
  public static synchronized LoadAccumulator of(SparkContext sc) {
    if (application != sc) {
      ofApplication = registered(sc, NAME);
      OF_QUERIES.clear();
      application = sc;
    }
    return ofApplication;
  }

  /**
   * The application's accumulator, and that of the query that the calling thread executes, if it
   * does: {@value #NAME} {@code of query N}. Driver only.
   */
  public static synchronized List<LoadAccumulator> ofQuery(SparkContext sc) {
    LoadAccumulator all = of(sc);
    String query = sc.getLocalProperty("spark.sql.execution.id");
    return query == null
        ? List.of(all)
        : List.of(
            all,
            OF_QUERIES.computeIfAbsent(query, id -> registered(sc, NAME + " of query " + query)));
  }

  private static LoadAccumulator registered(SparkContext sc, String name) {
    LoadAccumulator accumulator = new LoadAccumulator();
    sc.register(accumulator, name);
    return accumulator;
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
    OF_QUERIES.clear();
    return accumulator;
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
    return new LoadAccumulator(work);
  }

  @Override
  public synchronized void reset() {
    work = WorkByDevice.NONE;
  }

  @Override
  public synchronized void add(Entry entry) {
    work = work.plus(entry.device(), entry.work());
  }

  @Override
  public void merge(AccumulatorV2<Entry, Map<String, Work>> other) {
    Map<String, Work> theirs = other.value();
    synchronized (this) {
      for (Map.Entry<String, Work> entry : theirs.entrySet()) {
        work = work.plus(entry.getKey(), entry.getValue());
      }
    }
  }

  /** Work by {@code executor/device}; immutable. Spark asks for it at the end of every task. */
  @Override
  public synchronized Map<String, Work> value() {
    return work;
  }
}
