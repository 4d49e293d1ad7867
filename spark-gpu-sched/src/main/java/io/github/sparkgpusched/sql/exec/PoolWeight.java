package io.github.sparkgpusched.sql.exec;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.Schedulable;
import scala.Option;

/** The weight of the Spark scheduling pool that the calling thread submits jobs to. */
final class PoolWeight {
  private static final String POOL = "spark.scheduler.pool";

  private PoolWeight() {}

  /** 1 if there is no such pool, as where Spark does not schedule fairly. Driver only. */
  static double of(SparkContext sc) {
    String name = sc.getLocalProperty(POOL);
    Option<Schedulable> pool = name == null ? Option.empty() : sc.getPoolForName(name);
    return pool.isDefined() ? Math.max(1, pool.get().weight()) : 1;
  }
}
