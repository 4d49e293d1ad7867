package io.github.sparkgpusched.it.faults;

import io.github.sparkgpusched.api.BatchMethod;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.CostHint;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.ResultColumn;
import java.io.Serializable;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.api.java.UDF1;

/** A UDF that does what a test says, and counts who is inside. For local mode. */
final class Scripted implements UDF1<Long, Object>, GpuUdf {
  private static final long serialVersionUID = 1L;

  /** What a row computes. */
  interface Body extends Serializable {
    Object call(Long value) throws Exception;
  }

  /** What a range computes. */
  interface Batch extends BatchMethod, Serializable {}

  /** What a row costs. */
  interface Cost extends CostHint, Serializable {}

  /** Threads that are inside a scripted body now. */
  static final AtomicInteger INSIDE = new AtomicInteger();

  /** Calls of bodies since a test set it to 0; a batch method counts its rows. */
  static final AtomicLong CALLS = new AtomicLong();

  private final Body body;
  private final Batch batch;
  private final Cost cost;

  private Scripted(Body body, Batch batch, Cost cost) {
    this.body = body;
    this.batch = batch;
    this.cost = cost;
  }

  static Scripted rows(Body body) {
    return new Scripted(body, null, null);
  }

  static Scripted ranges(Batch batch) {
    return new Scripted(value -> value, batch, null);
  }

  Scripted withCost(Cost hint) {
    return new Scripted(body, batch, hint);
  }

  /** True on a thread of the plugin's, false on a task's. */
  static boolean onHelper() {
    return Thread.currentThread().getName().startsWith("gpusched-host-");
  }

  @Override
  public Object call(Long value) throws Exception {
    INSIDE.incrementAndGet();
    CALLS.incrementAndGet();
    try {
      return body.call(value);
    } finally {
      INSIDE.decrementAndGet();
    }
  }

  private void compute(Columns arguments, int from, int until, ResultColumn out) throws Exception {
    INSIDE.incrementAndGet();
    CALLS.addAndGet(until - from);
    try {
      batch.compute(arguments, from, until, out);
    } finally {
      INSIDE.decrementAndGet();
    }
  }

  @Override
  public Optional<BatchMethod> batchMethod() {
    return batch == null ? Optional.empty() : Optional.of(this::compute);
  }

  @Override
  public Optional<CostHint> costHint() {
    return Optional.ofNullable(cost);
  }
}
